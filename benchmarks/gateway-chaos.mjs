// @ts-check
import { runChaos } from "./gateway/chaos/run-chaos.mjs";
import { withApiServer } from "./harness/api-server.mjs";
import { judge } from "./harness/judge.mjs";

/** What becomes of applications when a gateway, its connections and executors break. */
export async function gatewayChaos() {
  return await withApiServer(async (server, folder) => judge(await runChaos(server, folder, {})));
}
