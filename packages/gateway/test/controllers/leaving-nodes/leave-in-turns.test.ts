import type { KubeObject } from "@kindling/kube-objects";
import { expect, test } from "vitest";
import { LeaveInTurns } from "../../../src/controllers/leaving-nodes/leave-in-turns.ts";

const START = Date.parse("2026-03-01T08:00:00Z");

function executor(name: string, node: string, startedAt = START): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      ...{
        name,
        uid: name,
        namespace: "spark-jobs",
        resourceVersion: "1",
        creationTimestamp: new Date(startedAt).toISOString(),
      },
      labels: { "spark-role": "executor", "spark-app-selector": "spark-app" },
      ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "driver", uid: "driver" }],
    },
    spec: { nodeName: node },
    status: {
      phase: "Running",
      containerStatuses: [{ state: { running: { startedAt: new Date(startedAt).toISOString() } } }],
    },
  };
}

/** Executors on a node that goes, and others that the test adds; `at` is in seconds. */
function scene(count: number) {
  const time = { at: 0 };
  const going = Array.from({ length: count }, (_, index) => executor(`going-${index}`, "going", START - 60_000));
  const others: KubeObject[] = [];
  const turns = new LeaveInTurns(() => START + time.at * 1000, {
    podsOfSame: () => [...going, ...others],
    isLeaving: (node) => node !== "safe",
  });
  const asked = (left = going): readonly string[] =>
    turns.turnOf("going", left).now.map(({ metadata }) => metadata.name);
  return { time, going, others, turns, asked };
}

test("all leave at once if another node has an executor that takes their blocks", () => {
  const { others, asked } = scene(3);
  others.push(executor("peer", "safe", START - 60_000));
  expect(asked()).toEqual(["going-0", "going-1", "going-2"]);
});

test("an executor that is alone leaves at once", () => {
  expect(scene(1).asked()).toEqual(["going-0"]);
});

test("otherwise half of them leave, and the others as soon as a successor has run for 20 seconds elsewhere", () => {
  const { time, going, others, asked } = scene(5);
  expect(asked()).toEqual(["going-0", "going-1", "going-2"]);
  const left = going.slice(3);
  expect(asked(left)).toEqual([]);
  time.at = 30;
  others.push(executor("on-another-that-goes", "goes-as-well"), executor("successor", "safe", START + 15_000));
  expect(asked(left)).toEqual([]);
  time.at = 35;
  expect(asked(left)).toEqual(["going-3", "going-4"]);
});

test("they do not wait longer than a minute and a half, and begin anew when the node goes a second time", () => {
  const { time, going, turns, asked } = scene(4);
  asked();
  time.at = 89;
  expect(asked(going.slice(2))).toEqual([]);
  time.at = 90;
  expect(asked(going.slice(2))).toEqual(["going-2", "going-3"]);
  turns.forget("going");
  expect(asked()).toEqual(["going-0", "going-1"]);
});
