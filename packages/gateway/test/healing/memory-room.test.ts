import type { ApplicationDemand, ClusterNode, PodShape, PolicySnapshot, Queue } from "@kindling/admission";
import { ANYWHERE } from "@kindling/admission";
import { expect, test } from "vitest";
import { memoryRoom } from "../../src/healing/memory-room.ts";

const GI = 1024 ** 3;

function shape(memory: number): PodShape {
  return { requests: { memory }, limits: { memory }, placement: ANYWHERE };
}

function node(name: string, memory: number, changes: Partial<ClusterNode> = {}): ClusterNode {
  return {
    ...{ name, labels: {}, taints: [], allocatable: { memory }, usedByOthers: { memory: GI } },
    ...{ unschedulable: false, backoffUntil: undefined, ...changes },
  };
}

function queue(name: string, ceiling: number | undefined, children: readonly Queue[] = []): Queue {
  return { name, weight: 1, guarantee: {}, ceiling: ceiling === undefined ? {} : { memory: ceiling }, children };
}

const DEMAND = {
  ...{ id: "etl", namespace: "jobs", queue: "team.etl" },
  driver: { pod: shape(2 * GI), state: "started", promised: true, node: "small" },
} as unknown as ApplicationDemand;

function snapshot(changes: Partial<PolicySnapshot> = {}): PolicySnapshot {
  return {
    now: 0,
    capacity: {
      kind: "nodes",
      nodes: [node("small", 8 * GI), node("large", 64 * GI), node("closed", 512 * GI, { unschedulable: true })],
    },
    queues: queue("", undefined, [
      queue("team", 40 * GI, [queue("etl", 20 * GI), queue("other", GI)]),
      queue("else", GI),
    ]),
    quotas: [
      { namespace: "jobs", name: "team", hard: { "limits.memory": 30 * GI, pods: 10 }, used: {} },
      { namespace: "others", name: "small", hard: { memory: GI }, used: {} },
    ],
    applications: [DEMAND],
    ...changes,
  };
}

test("an executor is limited by the largest node, the ceilings of its queue, and the quotas of its namespace", () => {
  expect(memoryRoom(snapshot(), "etl", shape(GI))).toEqual([
    { kind: "nodes", most: 63 * 1024 },
    { kind: "queue", name: "team", most: 38 * 1024 },
    { kind: "queue", name: "team.etl", most: 18 * 1024 },
    { kind: "quota", name: "team", most: 28 * 1024 },
  ]);
});

test("nodes that may come count, if they are known", () => {
  const toCome = (largest: PolicySnapshot["applications"][number]["driver"]["pod"]["requests"]): PolicySnapshot =>
    snapshot({
      capacity: {
        kind: "nodes",
        nodes: [node("small", 8 * GI)],
        classes: [{ name: "big", labels: new Map(), taints: [], largest, limit: {}, left: {}, avoided: [] }],
      },
    });
  expect(memoryRoom(toCome({ memory: 256 * GI }), "etl", shape(GI))[0]).toEqual({ kind: "nodes", most: 256 * 1024 });
  expect(memoryRoom(toCome({}), "etl", shape(GI)).map(({ kind }) => kind)).not.toContain("nodes");
});

test("without known nodes and queues there is no limit", () => {
  const capacity = { kind: "configured", total: {} } as const;
  expect(memoryRoom(snapshot({ capacity, quotas: [], applications: [] }), "etl", shape(GI))).toEqual([]);
});
