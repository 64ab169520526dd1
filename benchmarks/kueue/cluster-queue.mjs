// @ts-check
import { isConflict } from "@kindling/kube";

/** @typedef {import("@kindling/kube").KubeClient} KubeClient */

/** @type {(plural: string, kind: string, namespaced: boolean) => import("@kindling/kube").ResourceType} */
const ofKueue = (plural, kind, namespaced) => ({
  ...{ group: "kueue.x-k8s.io", version: "v1beta2", plural, kind, namespaced },
});
const FLAVOR = ofKueue("resourceflavors", "ResourceFlavor", false);
const CLUSTER_QUEUE = ofKueue("clusterqueues", "ClusterQueue", false);
const LOCAL_QUEUE = ofKueue("localqueues", "LocalQueue", true);
const PRIORITY_CLASS = ofKueue("workloadpriorityclasses", "WorkloadPriorityClass", false);
export const WORKLOADS = ofKueue("workloads", "Workload", true);
/** The WorkloadPriorityClass of jobs that go before others. */
export const URGENT = "bench-urgent";

/**
 * Runs something in a namespace with a LocalQueue `default`, whose ClusterQueue has only this many CPUs.
 *
 * @template T
 * @param {KubeClient} client
 * @param {{ namespace: string, cpus: number }} queue
 * @param {(setCpus: (cpus: number) => Promise<void>) => Promise<T>} run
 */
export async function withClusterQueue(client, { namespace: name, cpus }, run) {
  await given(() => client.create(FLAVOR, { metadata: { name: "bench" } }));
  const urgent = { metadata: { name: URGENT }, value: 1000 };
  await given(() => client.create(PRIORITY_CLASS, urgent));
  const clusterQueue = { metadata: { name }, spec: specOf(cpus) };
  await client.create(CLUSTER_QUEUE, clusterQueue);
  try {
    const localQueue = { metadata: { name: "default" }, spec: { clusterQueue: name } };
    await client.create(LOCAL_QUEUE, localQueue, { namespace: name });
    return await run(async (more) => {
      await client.patch(CLUSTER_QUEUE, name, "merge", { spec: specOf(more) });
    });
  } finally {
    await client.delete(CLUSTER_QUEUE, name, {});
  }
}

/** @param {number} cpus */
function specOf(cpus) {
  const resources = [
    { name: "cpu", nominalQuota: String(cpus) },
    { name: "memory", nominalQuota: "10Ti" },
  ];
  return {
    namespaceSelector: {},
    preemption: { withinClusterQueue: "LowerPriority" },
    resourceGroups: [{ coveredResources: ["cpu", "memory"], flavors: [{ name: "bench", resources }] }],
  };
}

/** @param {() => Promise<unknown>} create of an object that another run may have left */
async function given(create) {
  try {
    await create();
  } catch (error) {
    if (!isConflict(error)) throw error;
  }
}
