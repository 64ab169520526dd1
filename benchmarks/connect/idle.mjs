// @ts-check
import { resources } from "@kindling/kube";
import { residentMemory } from "@kindling/test-kit/process-usage";
import { atMost } from "../harness/judge.mjs";
import { caller } from "./calls.mjs";
import { NAMESPACE, sparkProfile, untilNone, withService } from "./with-service.mjs";

const IDLE_SESSIONS = 200;

/**
 * Sessions that do nothing: what they cost.
 *
 * @param {import("./with-service.mjs").Context} context
 * @returns {Promise<import("../harness/judge.mjs").Row[]>}
 */
export async function idle(context) {
  return await withService(
    context,
    { profiles: sparkProfile(`    idle: 5s\n    sessionsPerUser: ${IDLE_SESSIONS}\n`) },
    async ({ port, caFile, token, pid }) => {
      const clients = Array.from({ length: IDLE_SESSIONS }, () =>
        caller(`https://localhost:${port}`, { caFile, token }),
      );
      for (const client of clients) {
        const status = await client.call();
        if (status !== "0") throw new Error(`a session's call ended with ${status}`);
      }
      await untilNone(context.client);
      const { items } = await context.client.listAll(resources.pods, {
        namespace: NAMESPACE,
        labelSelector: "spark-role",
      });
      const memory = Math.round(residentMemory(pid()));
      for (const client of clients) client.close();
      return [
        atMost(`memory with ${IDLE_SESSIONS} idle sessions`, memory, "MiB", 128),
        atMost("drivers for them", items.length, "", 0),
      ];
    },
  );
}
