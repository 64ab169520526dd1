import { expect, test } from "vitest";
import { clusterNode, takesPods } from "../src/capacity.ts";
import { cpus, GIBIBYTE, node, resources } from "./fixtures/sentences.ts";

const told = { usedByOthers: cpus(1), backoffUntil: undefined };

test("a node is read as the API server tells it", () => {
  const read = clusterNode(
    {
      metadata: { name: "n1", labels: { zone: "a" } },
      spec: { taints: [{ key: "spot", effect: "NoSchedule" }], unschedulable: true },
      status: { allocatable: { cpu: "3920m", memory: "16Gi", pods: "110" } },
    },
    told,
  );
  expect(read).toEqual({
    name: "n1",
    labels: { zone: "a" },
    taints: [{ key: "spot", effect: "NoSchedule" }],
    allocatable: { cpu: 3920, memory: 16 * GIBIBYTE, pods: 110 },
    usedByOthers: { cpu: 1000 },
    unschedulable: true,
    backoffUntil: undefined,
  });
});

test("a node that tells nothing has nothing", () => {
  expect(clusterNode({}, told)).toMatchObject({
    name: "",
    labels: {},
    taints: [],
    allocatable: {},
    unschedulable: false,
  });
});

test.each([
  ["as a rule", {}, true],
  ["but not when it is cordoned", { unschedulable: true }, false],
  ["but not in back-off", { backoffUntil: 11 }, false],
  ["and again after that", { backoffUntil: 10 }, true],
])("a node takes pods %s", (_, rest, wanted) => {
  expect(takesPods(node("n1", resources(1), rest), 10)).toBe(wanted);
});
