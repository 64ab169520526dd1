import { expect, test } from "vitest";
import { parseQueues, readQueues } from "../../../src/config/queues/parse-queues.ts";

const GI = 2 ** 30;

test("classes of nodes are read beside the queues", () => {
  const text = `
queues: [{ name: etl }]
nodes:
  - class: spark-r
    max: 20
    cpu: 15
    memory: 120Gi
    resources: { nvidia.com/gpu: 1 }
    labels: { pool: spark-r, generation: 7, spot: true }
    taints: [{ key: spark, value: 1, effect: NoSchedule }, { key: gpu, effect: NoExecute }]
  - { class: plain, max: 0, cpu: 500m, memory: 1Gi }
`;
  expect(parseQueues(text, "queues.yaml").nodeClasses).toEqual([
    {
      name: "spark-r",
      max: 20,
      node: { cpu: 15_000, memory: 120 * GI, "nvidia.com/gpu": 1 },
      labels: { pool: "spark-r", generation: "7", spot: "true" },
      taints: [
        { key: "spark", value: "1", effect: "NoSchedule" },
        { key: "gpu", effect: "NoExecute" },
      ],
    },
    { name: "plain", max: 0, node: { cpu: 500, memory: GI }, labels: {}, taints: [] },
  ]);
});

test("without classes there are none", () => {
  expect(parseQueues("queues: [{ name: etl }]", "queues.yaml").nodeClasses).toEqual([]);
});

test.each([
  ["nodes: spark", "f:2: nodes is not a list"],
  ["nodes: [spark]", "f:2: a class of nodes is not a map"],
  ["nodes: [{ max: 1, cpu: 1, memory: 1Gi }]", "f:2: a class of nodes needs a name: class"],
  ["nodes: [{ class: a, cpu: 1, memory: 1Gi }]", "f:2: max is not a number of nodes"],
  ["nodes: [{ class: a, max: 1.5, cpu: 1, memory: 1Gi }]", "f:2: max is not a number of nodes"],
  ["nodes: [{ class: a, max: -1, cpu: 1, memory: 1Gi }]", "f:2: max is not a number of nodes"],
  ["nodes: [{ class: a, max: 1, memory: 1Gi }]", "f:2: a class of nodes needs cpu"],
  ["nodes: [{ class: a, max: 1, cpu: lots, memory: 1Gi }]", "f:2: cpu of a class of nodes is not an amount"],
  ["nodes: [{ class: a, max: 1, cpu: 1, memory: 1Gi, resources: { gpu: 1 } }]", "f:2: gpu is no resource"],
  ["nodes: [{ class: a, max: 1, cpu: 1, memory: 1Gi, labels: { a: [b] } }]", "f:2: the label a of a class of nodes"],
  ["nodes: [{ class: a, max: 1, cpu: 1, memory: 1Gi, taints: spark }]", "f:2: taints is not a list"],
  ["nodes: [{ class: a, max: 1, cpu: 1, memory: 1Gi, taints: [{ effect: NoSchedule }] }]", "f:2: a taint needs a key"],
  ["nodes: [{ class: a, max: 1, cpu: 1, memory: 1Gi, taints: [{ key: a }] }]", "f:2: the effect of a taint is one of"],
  ["nodes: [{ class: a, max: 1, cpu: 1, memory: 1Gi, count: 3 }]", "f:2: a class of nodes has no count"],
  [
    "nodes: [&a { class: a, max: 1, cpu: 1, memory: 1Gi }, { class: a, max: 1, cpu: 1, memory: 1Gi }]",
    "there are two classes a",
  ],
])("%s is refused with the line, and the rest of the file is read", (nodes, message) => {
  const { root, nodeClasses, fault } = readQueues(`queues: [{ name: etl }]\n${nodes}\n`, "f");
  expect(fault?.message).toContain(message);
  expect(root.children.map(({ name }) => name)).toEqual(["etl"]);
  expect(nodeClasses.length).toBeLessThanOrEqual(1);
});
