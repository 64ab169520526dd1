import { inNamespace, requestCounts } from "../../gateway/api-server.mjs";
import { applicationOf, SPARK_APPLICATIONS } from "./applications.mjs";
import { startKindling } from "./operators.mjs";
import { row } from "./row.mjs";

const WATCHED_SECONDS = 30;
const WARM_UP_SECONDS = 5;
const AT_ONCE = 64;

/** What an operator costs that has nothing to do: with many applications that have ended. */
export async function finishedApplications(client, count) {
  const name = `kindling-benchmark-operator-finished-${process.pid}`;
  return await inNamespace({ client }, name, async (namespace) => {
    await makeFinished(client, namespace, count);
    const operator = await startKindling(namespace);
    try {
      await seconds(WARM_UP_SECONDS);
      const [cpu, lists] = [operator.cpu(), await listsSoFar(client)];
      await seconds(WATCHED_SECONDS);
      const share = ((operator.cpu() - cpu) / WATCHED_SECONDS) * 100;
      const listed = (await listsSoFar(client)) - lists;
      return [
        row(`processor, with ${count} applications that have ended`, share, "% of one", 1),
        row(`lists of applications in ${WATCHED_SECONDS} s`, listed, "", 0),
        row(`memory, with ${count} applications that have ended`, operator.peak(), "MiB", 300),
      ];
    } finally {
      await operator.stop();
      await client.deleteCollection(SPARK_APPLICATIONS, { namespace });
    }
  });
}

async function makeFinished(client, namespace, count) {
  const indices = Array.from({ length: count }, (_, index) => index).values();
  const ended = new Date().toISOString().replace(/\.\d+/, "");
  const work = async () => {
    for (const index of indices) {
      const object = await client.create(SPARK_APPLICATIONS, applicationOf(`finished-${index}`, namespace));
      const status = {
        submissionID: "7d444840-9dc0-41d1-b245-5ffdce74fad2",
        lastSubmissionAttemptTime: ended,
        terminationTime: ended,
        driverInfo: { podName: `finished-${index}-driver` },
        applicationState: { state: "COMPLETED" },
        executorState: { [`finished-${index}-exec-1`]: "COMPLETED", [`finished-${index}-exec-2`]: "COMPLETED" },
        executionAttempts: 1,
        submissionAttempts: 1,
      };
      await client.replace(SPARK_APPLICATIONS, { ...object, status }, { namespace, subresource: "status" });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** How often applications were listed, as the API server has counted. */
async function listsSoFar(client) {
  return (await requestCounts(client))
    .filter(({ verb, resource }) => verb === "LIST" && resource === "sparkapplications")
    .reduce((sum, { count }) => sum + count, 0);
}

function seconds(count) {
  return new Promise((resolve) => setTimeout(resolve, count * 1000));
}
