import type { Wait } from "@kindling/admission";
import { describe, expect, test } from "vitest";
import { givingWay } from "../../../src/controllers/keepers/giving-way.ts";
import { lackOnNodes, WantedRoom } from "../../../src/controllers/keepers/wanted-room.ts";

const GIB = 1024 ** 3;
const DISK = "ephemeral-storage";
const MADE = { resourceVersion: "1", creationTimestamp: "2026-01-01T00:00:00Z" };

function keeper(name: string, endedAt: number, disk: number, queue = "etl") {
  const finishedAt = new Date(endedAt * 1000).toISOString();
  const containerStatuses = [{ name: "spark-kubernetes-executor", state: { terminated: { exitCode: 0, finishedAt } } }];
  const spec = { containers: [{ name: "kindling-shuffle" }, { name: "spark-kubernetes-executor" }] };
  const metadata = { name, namespace: "spark", uid: name, ...MADE };
  const pod = { apiVersion: "v1", kind: "Pod", metadata, spec, status: { containerStatuses } };
  return { pod, queue, holds: { cpu: 21, memory: GIB / 10, pods: 1, [DISK]: disk } };
}

const namesOf = (keepers: ReturnType<typeof givingWay>) => keepers.map(({ pod }) => pod.metadata.name);

describe("keepers give way to what waits in their queue", () => {
  const three = [keeper("third", 30, 10 * GIB), keeper("first", 10, 10 * GIB), keeper("second", 20, 10 * GIB)];

  test("the oldest first, and no more than are needed", () => {
    expect(namesOf(givingWay(three, new Map([["etl", { [DISK]: 12 * GIB }]])))).toEqual(["first", "second"]);
  });

  test("none of them, if all together could not give what is lacking", () => {
    expect(givingWay(three, new Map([["etl", { [DISK]: 40 * GIB }]]))).toEqual([]);
    expect(givingWay(three, new Map([["etl", { [DISK]: 10 * GIB, cpu: 1000 }]]))).toEqual([]);
  });

  test("not dozens of them for one executor's cores", () => {
    const many = Array.from({ length: 100 }, (_, index) => keeper(`k-${index}`, index, 0));
    expect(givingWay(many, new Map([["etl", { cpu: 1000 }]]))).toEqual([]);
  });

  test("those of other queues stay", () => {
    expect(givingWay([keeper("other", 1, 10 * GIB, "adhoc")], new Map([["etl", { [DISK]: GIB }]]))).toEqual([]);
  });

  test("one for a node that has too many pods", () => {
    expect(namesOf(givingWay(three, new Map([["etl", { pods: 1 }]])))).toEqual(["first"]);
  });
});

describe("what a queue lacks", () => {
  const wait = (reason: Wait["reason"], more: Partial<Wait> = {}): Wait => ({
    ...{ application: "a", queue: "etl", what: "surplus", executors: 1, ahead: 0, roomToCome: false },
    ...{ holders: [], classes: [], needs: { cpu: 1000, [DISK]: 20 * GIB }, reason },
    ...more,
  });
  const noDisk: Wait["reason"] = { kind: "capacity", left: { cpu: 4000, [DISK]: 5 * GIB } };

  function scene() {
    let now = 0;
    const wanted = new WantedRoom({ monotonic: () => now }, 30_000);
    return { wanted, at: (seconds: number) => (now = seconds * 1000) };
  }

  test("counts when it has lasted, without a pause", () => {
    const { wanted, at } = scene();
    wanted.note([wait(noDisk)]);
    at(29);
    expect(wanted.due()).toEqual(new Map());
    at(30);
    expect(wanted.due()).toEqual(new Map([["etl", { [DISK]: 15 * GIB }]]));
    wanted.note([]);
    wanted.note([wait(noDisk)]);
    expect(wanted.due()).toEqual(new Map());
  });

  test("has to last as long again when keepers have gone", () => {
    const { wanted, at } = scene();
    wanted.note([wait(noDisk)]);
    at(30);
    wanted.given("etl");
    expect(wanted.due()).toEqual(new Map());
    at(60);
    expect([...wanted.due().keys()]).toEqual(["etl"]);
  });

  test.each<[string, Wait["reason"], Partial<Wait>]>([
    ["executors leave already", noDisk, { roomToCome: true }],
    ["it is kept for others", { kind: "kept", inFavourOf: [] }, {}],
    ["it never fits", { kind: "never", limit: { kind: "capacity" } }, {}],
    ["nodes have only scattered cores", { kind: "fragments", left: {} }, { needs: { cpu: 1000 } }],
  ])("is nothing if %s", (_why, reason, more) => {
    const { wanted, at } = scene();
    wanted.note([wait(reason, more)]);
    at(100);
    expect(wanted.due()).toEqual(new Map());
  });
});

describe("a pod for which the scheduler finds no node", () => {
  const pod = (message: string, reason = "Unschedulable") => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "exec-1", uid: "1", ...MADE },
    spec: { containers: [] },
    status: {
      phase: "Pending",
      conditions: [
        { type: "PodScheduled", status: "False", reason, message, lastTransitionTime: "2026-01-01T00:00:00Z" },
      ],
    },
  });
  const requests = () => ({ cpu: 1000, pods: 1, [DISK]: GIB });
  const later = Date.parse("2026-01-01T00:00:30Z");

  test.each([
    ["0/3 nodes are available: 3 Insufficient ephemeral-storage.", { [DISK]: GIB }],
    ["0/3 nodes are available: 1 Insufficient cpu, 2 Too many pods.", { pods: 1 }],
    ["0/3 nodes are available: 3 Insufficient cpu.", undefined],
  ])("lacks what its message says: %s", (message, lack) => {
    expect(lackOnNodes(pod(message), requests, later, 30_000)).toEqual(lack);
  });

  test("lacks nothing before it has waited", () => {
    expect(lackOnNodes(pod("Too many pods"), requests, later - 1, 30_000)).toBeUndefined();
  });
});
