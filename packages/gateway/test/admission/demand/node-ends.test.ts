import { aPod, type PodBuilder } from "@kindling/test-kit/a-pod";
import { expect, test } from "vitest";
import { NodeEnds } from "../../../src/admission/demand/node-ends.ts";
import { knownPod } from "../../support/known-pod.ts";

const MINUTE = 60_000;

let now = 0;
const clock = { now: () => now };

const executor = aPod("exec").executor(1, "app").ownedBy(aPod("driver")).on("bad");
const evicted = executor.status({ phase: "Failed", reason: "Evicted" });

function endsOf(...pods: readonly PodBuilder[]): NodeEnds {
  const ends = new NodeEnds(clock);
  for (const pod of pods) ends.add(knownPod(pod));
  return ends;
}

function three(pod: PodBuilder): readonly PodBuilder[] {
  return [pod, pod, pod];
}

test.each([
  ["evicts", evicted],
  ["shuts down", evicted.status({ reason: "Terminated" })],
  ["is lost", evicted.status({ reason: "NodeLost" })],
  ["has no room after all", evicted.status({ reason: "OutOfcpu" })],
  ["cannot start", executor.failed(128, "StartError")],
  ["kills without saying why", executor.failed(137)],
])("a node that %s three executors gets no more for a minute", (_, pod) => {
  now = 0;
  const ends = endsOf(...three(pod));
  expect([...ends.backoffs()]).toEqual([["bad", MINUTE]]);
  now = MINUTE;
  expect(ends.backoffs().size).toBe(0);
});

test.each([
  ["ends by itself", executor.failed(1)],
  ["takes more memory than it asked for", executor.failed(137, "OOMKilled")],
  ["is deleted", executor.failed(137).deleting()],
  ["is deleted while it runs", executor.running()],
])("an executor that %s says nothing against its node", (_, pod) => {
  expect(endsOf(...three(pod)).backoffs().size).toBe(0);
});

test("one that ended well in between speaks for its node", () => {
  expect(endsOf(evicted, evicted, executor.succeeded(), evicted).backoffs().size).toBe(0);
});

test("what is remembered has a bound", () => {
  const bad = Array.from({ length: 100 }, () => evicted);
  const good = Array.from({ length: 3_000 }, () => executor.on("good").succeeded());
  expect(endsOf(...bad).backoffs().size).toBe(1);
  expect(endsOf(...bad, ...good).backoffs().size).toBe(0);
});
