import { type CustomResourceDefinition, definitionOf } from "@kindling/test-cluster/custom-resource-definition";
import type { TestCluster } from "@kindling/test-cluster/test-cluster";

/** The kinds of Karpenter's installation that the gateway reads. */
export const KARPENTER: readonly CustomResourceDefinition[] = [
  definitionOf({ group: "karpenter.sh", version: "v1", scope: "Cluster", plural: "nodepools", kind: "NodePool" }),
  definitionOf({ group: "karpenter.sh", version: "v1", scope: "Cluster", plural: "nodeclaims", kind: "NodeClaim" }),
];

/** What Karpenter writes into a cluster, as a test wants it. */
export class WrittenKarpenter {
  readonly #cluster: TestCluster;

  constructor(cluster: TestCluster) {
    this.#cluster = cluster;
  }

  async pool(name: string, limits: Readonly<Record<string, string>>): Promise<void> {
    const spec = { limits, template: { metadata: { labels: {} }, spec: { requirements: [] } } };
    await this.#cluster.send("POST", "/apis/karpenter.sh/v1/nodepools", {
      ...{ apiVersion: "karpenter.sh/v1", kind: "NodePool", metadata: { name }, spec },
    });
  }

  /** A node has been ordered, and is not in the cluster. */
  async order(name: string, pool: string, cpu: string): Promise<void> {
    const amounts = { cpu, memory: "64Gi", pods: "110" };
    await this.#cluster.send("POST", "/apis/karpenter.sh/v1/nodeclaims", {
      ...{ apiVersion: "karpenter.sh/v1", kind: "NodeClaim" },
      metadata: { name, labels: { "karpenter.sh/nodepool": pool } },
      spec: {},
      status: {
        providerID: `test:///${name}`,
        capacity: amounts,
        allocatable: amounts,
        conditions: [{ type: "Launched", status: "True" }],
      },
    });
  }

  /** The node that was ordered takes pods. */
  async deliver(name: string, pool: string, cpu: string): Promise<void> {
    const labels = { "karpenter.sh/nodepool": pool };
    this.#cluster.devCluster.addNode({ name: `node-of-${name}`, cpu, labels, providerId: `test:///${name}` });
    const conditions = ["Launched", "Registered", "Initialized"].map((type) => ({ type, status: "True" }));
    await this.#cluster.send("PATCH", `/apis/karpenter.sh/v1/nodeclaims/${name}`, {
      status: { nodeName: `node-of-${name}`, conditions },
    });
  }
}
