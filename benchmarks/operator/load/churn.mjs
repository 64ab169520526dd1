// @ts-check
import { resources } from "@kindling/kube";
import { applicationOf, observe, startKindling } from "@kindling/kubeflow-parity/operators";
import { customResources } from "@kindling/spark-application";
import { inNamespace } from "../../harness/api-server.mjs";
import { atMost } from "../../harness/judge.mjs";

/** @typedef {import("@kindling/kube").KubeClient} KubeClient */

const ROUNDS = 6;
const AT_ONCE = 300;
const REQUESTS = 32;

/**
 * What an operator keeps in memory about applications that were created, ran, ended and were deleted. It must keep nothing;
 * otherwise its memory grows with time.
 *
 * @param {KubeClient} client
 */
export async function churn(client) {
  const name = `kindling-benchmark-operator-churn-${process.pid}`;
  return await inNamespace({ client }, name, async (namespace) => {
    const operator = await startKindling(namespace);
    try {
      let halfway = 0;
      for (let round = 1; round <= ROUNDS; round++) {
        await comeAndGo(client, namespace, round);
        if (round === ROUNDS / 2) halfway = operator.peak();
      }
      const what = `memory at its peak after ${ROUNDS * AT_ONCE} applications have gone, to that after half of them`;
      return [atMost(what, operator.peak() / halfway, "×", 1.1)];
    } finally {
      await operator.stop();
    }
  });
}

/**
 * @param {KubeClient} client
 * @param {string} namespace
 * @param {number} round
 */
async function comeAndGo(client, namespace, round) {
  const names = Array.from({ length: AT_ONCE }, (_, index) => `round-${round}-${index}`);
  const observer = await observe(client, namespace);
  /** @param {import("@kindling/spark-application").ApplicationState} state */
  const all = (state) => observer.until(() => names.every((name) => observer.stateAt(name, state) !== undefined));
  await each(names, (name) => client.create(customResources.sparkApplications, applicationOf(name, namespace)));
  await all("SUBMITTED");
  await each(names, (name) => told(client, namespace, name, "Running"));
  await all("RUNNING");
  await each(names, (name) => told(client, namespace, name, "Succeeded"));
  await all("COMPLETED");
  await observer.stop();
  // Kubernetes' garbage collection would be minutes late.
  await each(names, (name) => client.delete(resources.pods, `${name}-driver`, { namespace }));
  await each(names, (name) => client.delete(customResources.sparkApplications, name, { namespace }));
}

/**
 * Reports the phase of a driver, as a kubelet does.
 *
 * @param {KubeClient} client
 * @param {string} namespace
 * @param {string} name of the application
 * @param {"Running" | "Succeeded"} phase
 */
async function told(client, namespace, name, phase) {
  await client.patch(
    resources.pods,
    `${name}-driver`,
    "merge",
    { status: { phase } },
    { namespace, subresource: "status" },
  );
}

/**
 * Handles several names at a time.
 *
 * @param {readonly string[]} names
 * @param {(name: string) => Promise<unknown>} act
 */
async function each(names, act) {
  const left = names.values();
  const work = async () => {
    for (const name of left) await act(name);
  };
  await Promise.all(Array.from({ length: REQUESTS }, work));
}
