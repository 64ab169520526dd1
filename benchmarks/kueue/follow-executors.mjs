// @ts-check
import { resources, startReflector } from "@kindling/kube";
import { SPARK_ROLE_LABEL } from "@kindling/core-spec";
import { systemClock as clock } from "@kindling/outside";
import { WORKLOADS } from "./cluster-queue.mjs";

/**
 * @typedef {object} SeenPods
 * @property {() => number} running how many executors run
 * @property {() => number} made how many executor pods there are
 * @property {() => number} stuck how many executor pods have been gated, or without a node for more than two seconds
 * @property {() => number} admittedAt when Kueue has admitted something for the last time
 * @property {() => Promise<void>} stop
 */

/** A pod that has no node for so long waits for something else than the scheduler. */
const STUCK_MS = 2_000;

/**
 * Follows the executor pods and the Workloads of a namespace.
 *
 * @param {import("@kindling/kube").KubeClient} client
 * @param {string} namespace
 * @returns {Promise<SeenPods>}
 */
export async function followExecutors(client, namespace) {
  /** @type {Map<string, { since: number, runs: boolean, hasNode: boolean, isGated: boolean }>} */
  const pods = new Map();
  const stuck = new Set();
  let admittedAt = 0;
  const executors = startReflector(client, resources.pods, {
    ...{ namespace, clock },
    labelSelector: `${SPARK_ROLE_LABEL}=executor`,
    keep: ({ metadata, spec, status }) => ({
      uid: metadata?.uid ?? "",
      runs: status?.phase === "Running" && metadata?.deletionTimestamp === undefined,
      hasNode: spec?.nodeName !== undefined,
      isGated: (spec?.schedulingGates ?? []).length > 0,
    }),
    sink: {
      replace: (all) => all.forEach((pod) => look(pod)),
      apply(event) {
        if (event.type === "DELETED") pods.delete(event.object.uid);
        else if (event.type !== "BOOKMARK") look(event.object);
      },
    },
  });
  /** @type {Map<string, boolean>} */
  const admitted = new Map();
  const workloads = startReflector(client, WORKLOADS, {
    ...{ namespace, clock },
    keep: (workload) => {
      const { metadata, status } = /** @type {{ metadata?: { name?: string }, status?: { admission?: object } }} */ (
        workload
      );
      return { name: metadata?.name ?? "", isAdmitted: status?.admission !== undefined };
    },
    sink: {
      replace: () => undefined,
      apply(event) {
        if (event.type === "BOOKMARK" || event.type === "DELETED") return;
        const { name, isAdmitted } = event.object;
        if (isAdmitted && admitted.get(name) !== true) admittedAt = performance.now();
        admitted.set(name, isAdmitted);
      },
    },
  });

  /** @param {{ uid: string, runs: boolean, hasNode: boolean, isGated: boolean }} pod */
  function look({ uid, runs, hasNode, isGated }) {
    const since = pods.get(uid)?.since ?? performance.now();
    pods.set(uid, { since, runs, hasNode, isGated });
  }

  const timer = setInterval(() => {
    for (const [uid, { since, hasNode, isGated }] of pods)
      if (isGated || (!hasNode && performance.now() - since > STUCK_MS)) stuck.add(uid);
  }, 100);
  await Promise.all([executors.synced, workloads.synced]);
  return {
    running: () => [...pods.values()].filter(({ runs }) => runs).length,
    made: () => pods.size,
    stuck: () => stuck.size,
    admittedAt: () => admittedAt,
    async stop() {
      clearInterval(timer);
      await Promise.all([executors.stop(), workloads.stop()]);
    },
  };
}
