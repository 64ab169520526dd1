import type { Wait } from "@kindling/admission";
import { expect, test } from "vitest";
import { waitWords } from "../../src/admission/wait-words.ts";

const GI = 1024 ** 3;

function wait(changes: Partial<Wait>): Wait {
  return {
    application: "uid",
    queue: "etl",
    what: "start",
    executors: 2,
    needs: { cpu: 4000, memory: 16 * GI, pods: 3 },
    reason: { kind: "capacity", left: { cpu: 1000, memory: 64 * GI, pods: 100 } },
    ahead: 0,
    roomToCome: false,
    holders: [],
    classes: [],
    ...changes,
  };
}

test.each<readonly [string, Partial<Wait>]>([
  ["waiting for 4 CPUs in queue etl; ahead: 2 applications", { ahead: 2 }],
  [
    "waiting for 4 CPUs and 16Gi of memory in queue etl; ahead: 1 application",
    { reason: { kind: "capacity", left: { cpu: 0, memory: 0, pods: 9 } }, ahead: 1 },
  ],
  [
    "waiting for 3 pods in queue etl; there will be room when executors that were asked to leave are gone",
    { reason: { kind: "capacity", left: { cpu: 9000, memory: 64 * GI, pods: 2 } }, roomToCome: true },
  ],
  [
    "waiting for 500 example.com/fpga in queue etl: there is enough in sum, but no node has room for the pod",
    { what: "surplus", needs: { "example.com/fpga": 500, pods: 1 }, reason: { kind: "fragments", left: {} } },
  ],
  [
    "waiting for 4 CPUs in queue etl; queue adhoc has 12 CPUs above its guarantee, and its applications may not be asked (preemption: never); queue dev has 2 CPUs above its guarantee, and its applications have no executors above their floor",
    {
      reason: { kind: "capacity", left: { cpu: 0 } },
      holders: [
        { queue: "adhoc", amounts: { cpu: 12_000, pods: 12 }, why: "never" },
        { queue: "dev", amounts: { cpu: 2_000 }, why: "floor" },
      ],
    },
  ],
  [
    "waiting for 1 CPU in queue etl: what is free is kept for Report and 1 more",
    { needs: { cpu: 1000 }, reason: { kind: "kept", inFavourOf: ["a", "b"] } },
  ],
  [
    "waiting for 4 CPUs in queue etl: the ceiling of queue all is reached",
    { reason: { kind: "ceiling", queue: "all", left: { cpu: 1000 } } },
  ],
  [
    "waiting for room in ResourceQuota small of its namespace, in queue etl",
    { reason: { kind: "quota", quota: "small", left: {} } },
  ],
  [
    "waiting for 4 CPUs in queue etl: the whole capacity is taken up by pods that are not the gateway's, or by nodes that take no pods now",
    { needs: { cpu: 4000 }, reason: { kind: "outside", limit: { kind: "capacity" } } },
  ],
  [
    "asks for 4 CPUs, and that is more than the ceiling of queue etl can ever give: ask for less, or raise it",
    { needs: { cpu: 4000 }, reason: { kind: "never", limit: { kind: "ceiling", queue: "etl" } } },
  ],
  [
    "waiting for 4 CPUs in queue etl; NodePool spark is at its limit of 512 CPUs; NodePool gpu has the taint gpu, which it does not tolerate",
    {
      reason: { kind: "capacity", left: { cpu: 0 } },
      classes: [
        { name: "NodePool spark", refusal: { kind: "limit", resource: "cpu", limit: 512_000 } },
        { name: "NodePool gpu", refusal: { kind: "taint", taint: { key: "gpu", effect: "NoSchedule" } } },
      ],
    },
  ],
  [
    "asks for 4 CPUs, and no node that is there or may come can take that; NodePool a has nodes with at most 2 CPUs; NodePool b has no nodes with the label disk that it asks for; NodePool c adds new nodes, and it asks for a node by its name; 2 other classes of nodes do not take it either",
    {
      needs: { cpu: 4000 },
      reason: { kind: "never", limit: { kind: "capacity" } },
      classes: [
        { name: "NodePool a", refusal: { kind: "too-large", resource: "cpu", most: 2000 } },
        { name: "NodePool b", refusal: { kind: "label", label: "disk" } },
        { name: "NodePool c", refusal: { kind: "named-node" } },
        { name: "NodePool d", refusal: { kind: "named-node" } },
        { name: "NodePool e", refusal: { kind: "named-node" } },
      ],
    },
  ],
  [
    "waiting for 4 CPUs in queue etl: no node that is there or may come takes that now; NodePool a adds no nodes now (no quota); NodePool b did not give a node for such a pod, and is tried again at 2026-01-01T00:01:00.000Z",
    {
      needs: { cpu: 4000 },
      reason: { kind: "outside", limit: { kind: "capacity" } },
      classes: [
        { name: "NodePool a", refusal: { kind: "unready", why: "no quota" } },
        { name: "NodePool b", refusal: { kind: "avoided", until: Date.parse("2026-01-01T00:01:00Z") } },
      ],
    },
  ],
])("%s", (words, changes) => {
  expect(waitWords(wait(changes), (id) => (id === "a" ? "Report" : id))).toBe(words);
});
