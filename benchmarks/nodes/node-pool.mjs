// @ts-check
import { isNotFound } from "@kindling/kube";
import { sleep } from "../harness/wait.mjs";

/** @typedef {import("@kindling/kube").KubeClient} KubeClient */

const CLASS = {
  group: "karpenter.kwok.sh",
  version: "v1alpha1",
  kind: "KWOKNodeClass",
  plural: "kwoknodeclasses",
  namespaced: false,
};
const POOL = { group: "karpenter.sh", version: "v1", kind: "NodePool", plural: "nodepools", namespaced: false };
const CLAIM = { group: "karpenter.sh", version: "v1", kind: "NodeClaim", plural: "nodeclaims", namespaced: false };

/**
 * When Karpenter takes nodes away. It also replaces nodes that could be smaller, and moves pods for that, unless `when` says `WhenEmpty`.
 *
 * @typedef {{ when: "WhenEmpty" | "WhenEmptyOrUnderutilized", after: string }} Consolidation
 */

/**
 * Runs something with a NodePool of its own, of nodes with up to 8 CPUs. Afterwards the NodePool is deleted with its nodes.
 *
 * @template T
 * @param {KubeClient} client
 * @param {{ name: string, cpus: number, consolidation?: Consolidation }} pool with its limit
 * @param {() => Promise<T>} run
 */
export async function withNodePool(client, pool, run) {
  const { name } = pool;
  const metadata = { name };
  const nodeClass = { metadata, spec: { nodeRegistrationDelay: "5s" } };
  await client.create(CLASS, nodeClass);
  const object = { metadata, spec: poolSpec(pool) };
  await client.create(POOL, object);
  try {
    return await run();
  } finally {
    await client.delete(POOL, name, { propagationPolicy: "Foreground" });
    while (await hasNodes(client, name)) await sleep(500);
    await client.delete(CLASS, name, {});
  }
}

/** @param {{ name: string, cpus: number, consolidation?: Consolidation }} pool */
function poolSpec({ name, cpus, consolidation = { when: "WhenEmptyOrUnderutilized", after: "15s" } }) {
  /** @type {(key: string, ...values: string[]) => object} */
  const oneOf = (key, ...values) => ({ key, operator: "In", values });
  return {
    limits: { cpu: cpus },
    disruption: {
      consolidationPolicy: consolidation.when,
      consolidateAfter: consolidation.after,
      budgets: [{ nodes: "100%" }],
    },
    template: {
      spec: {
        expireAfter: "Never",
        nodeClassRef: { group: CLASS.group, kind: CLASS.kind, name },
        requirements: [
          oneOf("karpenter.sh/capacity-type", "spot", "on-demand"),
          oneOf("kubernetes.io/arch", "amd64"),
          oneOf("karpenter.kwok.sh/instance-cpu", "2", "4", "8"),
        ],
      },
    },
  };
}

/**
 * @param {KubeClient} client
 * @param {string} name
 */
async function hasNodes(client, name) {
  const { items } = await client.listAll(CLAIM, { labelSelector: `karpenter.sh/nodepool=${name}` });
  if (items.length > 0) return true;
  try {
    await client.get(POOL, name);
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}
