import type { KubeObject } from "@kindling/kube-objects";
import { expect, test } from "vitest";
import { NodeEnds } from "../../../src/admission/demand/node-ends.ts";

const MINUTE = 60_000;

let now = 0;
const clock = { now: () => now };

/** An executor of an application that has ended on a node. */
function ended(status: object, { application = "app", node = "bad", isDeleted = false } = {}): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: "exec",
      uid: "uid",
      ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "driver", uid: application }],
      ...(isDeleted && { deletionTimestamp: "2026-01-01T00:00:00Z" }),
    },
    spec: { nodeName: node },
    status: { phase: "Failed", ...status },
  } as unknown as KubeObject;
}

function container(exitCode: number, reason: string): object {
  return { containerStatuses: [{ state: { terminated: { exitCode, reason } } }] };
}

function endsOf(...pods: readonly KubeObject[]): NodeEnds {
  const ends = new NodeEnds(clock);
  for (const pod of pods) ends.add(pod);
  return ends;
}

function three(pod: KubeObject): readonly KubeObject[] {
  return [pod, pod, pod];
}

test.each([
  ["evicts", ended({ reason: "Evicted" })],
  ["shuts down", ended({ reason: "Terminated" })],
  ["is lost", ended({ reason: "NodeLost" })],
  ["has no room after all", ended({ reason: "OutOfcpu" })],
  ["cannot start", ended(container(128, "StartError"))],
  ["kills without saying why", ended(container(137, "Error"))],
])("a node that %s three executors gets no more for a minute", (_, pod) => {
  now = 0;
  const ends = endsOf(...three(pod));
  expect([...ends.backoffs()]).toEqual([["bad", MINUTE]]);
  now = MINUTE;
  expect(ends.backoffs().size).toBe(0);
});

test.each([
  ["ends by itself", ended(container(1, "Error"))],
  ["takes more memory than it asked for", ended(container(137, "OOMKilled"))],
  ["is deleted", ended(container(137, "Error"), { isDeleted: true })],
  ["is deleted while it runs", ended({ phase: "Running" })],
])("an executor that %s says nothing against its node", (_, pod) => {
  expect(endsOf(...three(pod)).backoffs().size).toBe(0);
});

test("one that ended well in between speaks for its node", () => {
  const evicted = ended({ reason: "Evicted" });
  expect(endsOf(evicted, evicted, ended({ phase: "Succeeded" }), evicted).backoffs().size).toBe(0);
});

test("what is remembered has a bound", () => {
  const bad = Array.from({ length: 100 }, () => ended({ reason: "Evicted" }));
  const good = Array.from({ length: 3_000 }, () => ended({ phase: "Succeeded" }, { node: "good" }));
  expect(endsOf(...bad).backoffs().size).toBe(1);
  expect(endsOf(...bad, ...good).backoffs().size).toBe(0);
});
