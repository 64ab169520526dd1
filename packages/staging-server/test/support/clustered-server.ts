import { ManualClock } from "@kindling/outside";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { CollectReport } from "@kindling/staging-client";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { connectCluster } from "../../src/cluster/connect-cluster.ts";
import type { ServerConfig } from "../../src/config/server-config.ts";
import { apiServerStub, type ApiServerStub } from "./api-server-stub.ts";
import { jsonCall, testServer, type TestServer } from "./test-server.ts";

export interface ClusteredServer {
  readonly server: TestServer;
  readonly api: ApiServerStub;
  readonly clock: ManualClock;
}

/** A server that watches owners at a stub of the API server, and whose time is the test's. */
export async function clusteredServer(settings: Partial<ServerConfig> = {}): Promise<ClusteredServer> {
  const api = await apiServerStub();
  const kubeconfig = join(scratchFolder().path, "config");
  await writeFile(kubeconfig, api.kubeconfig);
  // The tokens of tests are stamped by the machine's clock.
  const clock = new ManualClock(Date.now());
  const server = await testServer(
    {
      "lifecycle.owners": "kubernetes",
      "cluster.kubeconfig": kubeconfig,
      "shutdown.grace": 0,
      // Tests say when to look.
      "lifecycle.interval": 1e9,
      ...settings,
    },
    { clock, connectCluster },
  );
  return { server, api, clock };
}

/** One collection now. */
export async function collect(server: TestServer, dryRun = false): Promise<CollectReport> {
  const answer = await server.call("api/v1/gc", jsonCall({ dryRun }));
  if (answer.status !== 200) throw new Error(`no collection: ${answer.body.toString()}`);
  return answer.json as CollectReport;
}

export const MINUTES: number = 60_000;
export const DAYS: number = 24 * 60 * MINUTES;
