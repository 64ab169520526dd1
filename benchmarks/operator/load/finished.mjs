// @ts-check
import { applicationOf, startKindling } from "@kindling/kubeflow-parity/operators";
import { customResources } from "@kindling/spark-application";
import { inNamespace, requestCounts } from "../../harness/api-server.mjs";
import { atMost } from "../../harness/judge.mjs";
import { sleep } from "../../harness/wait.mjs";

/** @typedef {import("@kindling/kube").KubeClient} KubeClient */

const WATCHED_SECONDS = 30;
const WARM_UP_SECONDS = 5;
const AT_ONCE = 64;

/**
 * The cost of an operator that has nothing to do, with many applications that have ended.
 *
 * @param {KubeClient} client
 * @param {number} count
 */
export async function finishedApplications(client, count) {
  const name = `kindling-benchmark-operator-finished-${process.pid}`;
  return await inNamespace({ client }, name, async (namespace) => {
    await makeFinished(client, namespace, count);
    const operator = await startKindling(namespace);
    try {
      await sleep(WARM_UP_SECONDS * 1000);
      const [cpu, lists] = [operator.cpu(), await listsSoFar(client)];
      await sleep(WATCHED_SECONDS * 1000);
      const share = ((operator.cpu() - cpu) / WATCHED_SECONDS) * 100;
      const listed = (await listsSoFar(client)) - lists;
      return [
        atMost(`processor, with ${count} applications that have ended`, share, "% of one", 1),
        atMost(`lists of applications in ${WATCHED_SECONDS} s`, listed, "", 0),
        atMost(`memory, with ${count} applications that have ended`, operator.peak(), "MiB", 300),
      ];
    } finally {
      await operator.stop();
    }
  });
}

/**
 * @param {KubeClient} client
 * @param {string} namespace
 * @param {number} count
 */
async function makeFinished(client, namespace, count) {
  const indices = Array.from({ length: count }, (_, index) => index).values();
  const now = new Date().toISOString().replace(/\.\d+/, "");
  const work = async () => {
    for (const index of indices) {
      const object = await client.create(
        customResources.sparkApplications,
        applicationOf(`finished-${index}`, namespace),
      );
      const status = {
        submissionID: "7d444840-9dc0-41d1-b245-5ffdce74fad2",
        lastSubmissionAttemptTime: now,
        terminationTime: now,
        driverInfo: { podName: `finished-${index}-driver` },
        applicationState: { state: "COMPLETED" },
        executorState: { [`finished-${index}-exec-1`]: "COMPLETED", [`finished-${index}-exec-2`]: "COMPLETED" },
        executionAttempts: 1,
        submissionAttempts: 1,
      };
      const ended = { ...object, status };
      await client.replace(customResources.sparkApplications, ended, { namespace, subresource: "status" });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/**
 * How often applications were listed, as the API server counts it.
 *
 * @param {KubeClient} client
 */
async function listsSoFar(client) {
  return (await requestCounts(client))
    .filter(({ verb, resource }) => verb === "LIST" && resource === "sparkapplications")
    .reduce((sum, { count }) => sum + count, 0);
}
