// @ts-check
import { resources } from "@kindling/kube";

/**
 * Runs something beside large nodes that kwok keeps: pods run there at once, and do nothing.
 *
 * @template T
 * @param {import("@kindling/kube").KubeClient} client
 * @param {readonly { name: string, labels?: Readonly<Record<string, string>> }[]} nodes
 * @param {() => Promise<T>} run
 */
export async function withHollowNodes(client, nodes, run) {
  const amounts = { cpu: "1000", memory: "10Ti", pods: "1000" };
  const status = { capacity: amounts, allocatable: amounts };
  const annotations = { "kwok.x-k8s.io/node": "fake" };
  try {
    for (const { name, labels = {} } of nodes) {
      const node = { metadata: { name, labels, annotations }, status };
      await client.create(resources.nodes, node);
      await client.patch(resources.nodes, name, "merge", { status }, { subresource: "status" });
    }
    return await run();
  } finally {
    for (const { name } of nodes) await client.delete(resources.nodes, name, {});
  }
}
