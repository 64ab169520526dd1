import { classRefusal, type NodeClass, type PodShape } from "@kindling/admission";
import { describe, expect, test } from "vitest";
import { classesOfNodePools } from "../../../src/admission/nodes-to-come/node-pools.ts";
import type { NodeFacts } from "../../../src/admission/nodes-to-come/node-facts.ts";
import { aNode, nodeClaim, nodePool, type PoolFields } from "./objects.ts";

const GI = 2 ** 30;
const NO_NODES: NodeFacts = { nodes: [], daemonsOn: () => ({}) };

/** Nodes that lose nothing, so that amounts are easy to read. */
const LOSSLESS: NodeFacts = { nodes: [aNode("other", {})], daemonsOn: () => ({}) };

function classOf(fields: PoolFields, claims: Parameters<typeof nodeClaim>[1][] = [], facts = LOSSLESS): NodeClass {
  const [found] = classesOfNodePools(
    [nodePool("spark", fields)],
    claims.map((claim, index) => nodeClaim(`claim-${index}`, claim)),
    facts,
  );
  if (found === undefined) throw new Error("there is no class");
  return found;
}

const executor = (placement: Partial<PodShape["placement"]> = {}): Pick<PodShape, "placement" | "requests"> => ({
  requests: { cpu: 4000, memory: 16 * GI, pods: 1 },
  placement: { nodeSelector: {}, nodeAffinity: undefined, tolerations: [], ...placement },
});

describe("what is left of a NodePool", () => {
  test("is its limit without what its status says", () => {
    const { limit, left } = classOf({
      limits: { cpu: 24, memory: "96Gi" },
      status: { resources: { cpu: "8", memory: "32Gi", nodes: "2", pods: "220" } },
    });
    expect(limit).toEqual({ cpu: 24_000, memory: 96 * GI });
    expect(left).toEqual({ cpu: 16_000, memory: 64 * GI });
  });

  test("is less already when NodeClaims are there and the status does not know of them", () => {
    const claims = [
      { pool: "spark", capacity: { cpu: "8" } },
      { pool: "spark", requests: { cpu: "3" } },
      { pool: "another", capacity: { cpu: "64" } },
    ];
    expect(classOf({ limits: { cpu: "24" }, status: { resources: { cpu: "8" } } }, claims).left).toEqual({
      cpu: 13_000,
    });
  });

  test("is not limited without limits", () => {
    expect(classOf({})).toMatchObject({ limit: {}, left: {} });
  });

  test("is nothing if more is there than the limit allows", () => {
    expect(classOf({ limits: { cpu: "4" }, status: { resources: { cpu: "64" } } }).left).toEqual({ cpu: 0 });
  });

  test("is nothing if the limit makes no sense", () => {
    expect(classOf({ limits: { cpu: "many", memory: "-4Gi" } }).left).toEqual({ cpu: 0, memory: 0 });
  });

  test("is without the part that its nodes keep for themselves and for DaemonSets", () => {
    const nodes = [
      aNode("n1", { "karpenter.sh/nodepool": "spark" }, { capacity: { cpu: "4" }, allocatable: { cpu: "3800m" } }),
      aNode("n2", {}, { capacity: { cpu: "4" }, allocatable: { cpu: "1" } }),
    ];
    const facts: NodeFacts = { nodes, daemonsOn: (node) => (node === "n1" ? { cpu: 200 } : {}) };
    expect(classOf({ limits: { cpu: "40" } }, [], facts).left).toEqual({ cpu: 36_000 });
  });

  test("is estimated while there are no nodes", () => {
    expect(classOf({ limits: { cpu: "40" } }, [], NO_NODES).left).toEqual({ cpu: 36_000 });
  });

  test("is also limited by a number of nodes, if their size is known", () => {
    const requirements = [{ key: "karpenter.k8s.aws/instance-cpu", operator: "In", values: ["4", "8"] }];
    const status = { resources: { nodes: "3", cpu: "20" } };
    expect(classOf({ limits: { nodes: "5" }, requirements, status }).left).toEqual({ cpu: 16_000 });
    expect(classOf({ limits: { nodes: "3" }, requirements, status }).left).toEqual({ cpu: 0, pods: 0 });
  });
});

describe("the largest node of a NodePool", () => {
  const cases: readonly [string, readonly Record<string, unknown>[], Record<string, number>][] = [
    ["is not known without requirements", [], {}],
    [
      "has the most CPUs of AWS's list",
      [{ key: "karpenter.k8s.aws/instance-cpu", operator: "In", values: ["4", "8", "16", "32"] }],
      { cpu: 32_000 },
    ],
    [
      "has fewer than the bound",
      [{ key: "karpenter.k8s.aws/instance-cpu", operator: "Lt", values: ["33"] }],
      { cpu: 32_000 },
    ],
    ["is not bounded by Gt", [{ key: "karpenter.k8s.aws/instance-cpu", operator: "Gt", values: ["3"] }], {}],
    [
      "is that of EKS Auto Mode",
      [{ key: "eks.amazonaws.com/instance-cpu", operator: "In", values: ["1", "2", "4"] }],
      { cpu: 4000 },
    ],
    [
      "has AWS's memory in mebibytes",
      [{ key: "karpenter.k8s.aws/instance-memory", operator: "Lt", values: ["65537"] }],
      { memory: 64 * GI },
    ],
    ["is Azure's", [{ key: "karpenter.azure.com/sku-cpu", operator: "Lt", values: ["17"] }], { cpu: 16_000 }],
    [
      "is the smaller one of two bounds",
      [
        { key: "karpenter.k8s.aws/instance-cpu", operator: "In", values: ["4", "64"] },
        { key: "karpenter.k8s.aws/instance-cpu", operator: "Lt", values: ["32"] },
      ],
      { cpu: 4000 },
    ],
    [
      "is not known if the values make no sense",
      [{ key: "karpenter.k8s.aws/instance-cpu", operator: "In", values: ["large"] }],
      {},
    ],
  ];

  test.each(cases)("%s", (_, requirements, largest) => {
    expect(classOf({ requirements }).largest).toEqual(largest);
  });
});

describe("NodePools", () => {
  test("come in the order of their weights, as Karpenter tries them", () => {
    const pools = [nodePool("a"), nodePool("light", { weight: 1 }), nodePool("heavy", { weight: 50 }), nodePool("b")];
    expect(classesOfNodePools(pools, [], NO_NODES).map(({ name }) => name)).toEqual(
      ["heavy", "light", "a", "b"].map((name) => `NodePool ${name}`),
    );
  });

  test("with a fixed number of nodes add none", () => {
    expect(classesOfNodePools([nodePool("fixed", { replicas: 3 })], [], NO_NODES)).toEqual([]);
  });

  test("that are not ready say why", () => {
    const message = "NodeClass not found on cluster";
    const status = { conditions: [{ type: "Ready", status: "False", message }] };
    expect(classOf({ status }).unready).toBe(message);
    expect(classOf({ status: { conditions: [{ type: "Ready", status: "True" }] } }).unready).toBeUndefined();
  });

  test("take pods by their labels, requirements and lasting taints", () => {
    const spark = classOf({
      labels: { type: "karpenter", NodeGroupType: "SparkMemoryOptimized" },
      requirements: [
        { key: "karpenter.sh/capacity-type", operator: "In", values: ["spot", "on-demand"] },
        { key: "topology.kubernetes.io/zone", operator: "In", values: ["eu-1a", "eu-1b"] },
        { key: "karpenter.k8s.aws/instance-generation", operator: "Gt", values: ["2"] },
      ],
      taints: [{ key: "spark", value: "yes", effect: "NoSchedule" }],
      startupTaints: [{ key: "node.cilium.io/agent-not-ready", effect: "NoExecute" }],
    });
    const refusal = (nodeSelector: Record<string, string>, tolerates = true) =>
      classRefusal(
        executor({ nodeSelector, tolerations: tolerates ? [{ key: "spark", operator: "Exists" }] : [] }),
        spark,
      );
    expect(refusal({ NodeGroupType: "SparkMemoryOptimized", "karpenter.sh/capacity-type": "spot" })).toBeUndefined();
    expect(refusal({ "karpenter.sh/nodepool": "spark", "kubernetes.io/arch": "arm64" })).toBeUndefined();
    expect(refusal({ "karpenter.k8s.aws/instance-family": "r5d" })).toBeUndefined();
    expect(refusal({ "karpenter.k8s.aws/instance-generation": "2" })).toMatchObject({ kind: "label" });
    expect(refusal({ "topology.kubernetes.io/zone": "eu-1c" })).toMatchObject({ kind: "label" });
    expect(refusal({ "karpenter.sh/nodepool": "another" })).toMatchObject({ kind: "label" });
    expect(refusal({ disk: "nvme" })).toEqual({ kind: "label", label: "disk" });
    expect(refusal({}, false)).toMatchObject({ kind: "taint", taint: { key: "spark" } });
  });

  test("of any shape cause no error", () => {
    const odd = { spec: { limits: [], weight: "much", template: { spec: { requirements: [7, {}], taints: "x" } } } };
    const pool = { ...nodePool("odd"), ...odd, status: "none" };
    expect(classesOfNodePools([pool], [{ ...nodeClaim("c", { pool: "odd" }), status: 4 }], NO_NODES)).toMatchObject([
      { name: "NodePool odd", limit: {}, taints: [] },
    ]);
  });
});
