import fc from "fast-check";
import { expect, test } from "vitest";
import type { RestartPolicy, SparkApplicationSpec } from "@kindling/spark-application";
import { World } from "./world.ts";

const restartPolicy: fc.Arbitrary<RestartPolicy> = fc.record({
  type: fc.constantFrom("Never", "OnFailure", "Always"),
  onFailureRetries: fc.nat({ max: 3 }),
  onSubmissionFailureRetries: fc.nat({ max: 3 }),
  onFailureRetryInterval: fc.integer({ min: 1, max: 10 }),
  onSubmissionFailureRetryInterval: fc.integer({ min: 1, max: 10 }),
});

type Happening =
  | { readonly kind: "look"; readonly died?: "before" | "between" }
  | { readonly kind: "kubelet"; readonly exitCode: number }
  | { readonly kind: "edit"; readonly spec: Partial<SparkApplicationSpec> }
  | { readonly kind: "wait"; readonly ms: number };

const look: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Happening>({ kind: "look" }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Happening>({ kind: "look", died: "before" }, { kind: "look", died: "between" }),
  },
);
const kubelet: fc.Arbitrary<Happening> = fc.record({
  kind: fc.constant("kubelet"),
  exitCode: fc.constantFrom(0, 0, 1),
});
const wait: fc.Arbitrary<Happening> = fc.record({ kind: fc.constant("wait"), ms: fc.nat({ max: 30_000 }) });
const edit: fc.Arbitrary<Happening> = fc.record({
  kind: fc.constant("edit"),
  spec: fc.oneof(
    fc.record({ suspend: fc.boolean() }),
    fc.record({ arguments: fc.array(fc.constantFrom("1", "2"), { maxLength: 1 }) }),
    fc.record({ timeToLiveSeconds: fc.constant(100_000) }),
  ),
});

function happen(world: World, happening: Happening): void {
  switch (happening.kind) {
    case "look":
      world.look(happening.died);
      return;
    case "kubelet":
      world.kubelet(happening.exitCode);
      return;
    case "edit":
      world.edit(happening.spec);
      return;
    case "wait":
      world.nowMs += happening.ms;
      return;
  }
}

/** From now on there are no faults, and every driver ends well. */
function calmDown(world: World): void {
  for (let round = 0; round < 60; round += 1) {
    world.kubelet(0);
    const lookAgainAtMs = world.look();
    world.nowMs = Math.max(world.nowMs + 100, Math.min(lookAgainAtMs ?? 0, world.nowMs + 60_000));
  }
}

const happenings = fc.array(fc.oneof({ weight: 5, arbitrary: look }, { weight: 3, arbitrary: kubelet }, wait, edit), {
  maxLength: 60,
});

test("whatever happens, no submission makes two drivers, and all comes to its end", () => {
  fc.assert(
    fc.property(restartPolicy, happenings, (policy, all) => {
      const world = new World({ restartPolicy: policy });
      for (const happening of all) happen(world, happening);
      world.edit({ suspend: false, restartPolicy: { ...policy, type: "Never" } });
      calmDown(world);
      expect(["COMPLETED", "FAILED"]).toContain(world.state);
      for (const [id, times] of world.made) expect(`${id} made ${times} times`).toBe(`${id} made 1 times`);
    }),
    { numRuns: 500 },
  );
});

function mostRuns({ type, onFailureRetries = 0 }: RestartPolicy): number {
  if (type === "Always") return Number.POSITIVE_INFINITY;
  return type === "OnFailure" ? onFailureRetries + 1 : 1;
}

test("without edits, as many drivers are made as runs are counted, and an end stays", () => {
  const calm = fc.array(fc.oneof({ weight: 5, arbitrary: look }, { weight: 3, arbitrary: kubelet }, wait), {
    maxLength: 80,
  });
  fc.assert(
    fc.property(restartPolicy, calm, (policy, all) => {
      const world = new World({ restartPolicy: policy });
      let end: string | undefined;
      for (const happening of all) {
        happen(world, happening);
        expect(world.state).toBe(end ?? world.state);
        if (world.state === "COMPLETED" || world.state === "FAILED") end = world.state;
      }
      world.look();
      const { executionAttempts = 0 } = world.stored.status;
      const unrecorded =
        world.driver !== undefined && world.driver.submissionId !== world.stored.status.submissionID ? 1 : 0;
      expect(world.made.size).toBe(executionAttempts + unrecorded);
      expect(executionAttempts).toBeLessThanOrEqual(mostRuns(policy));
    }),
    { numRuns: 500 },
  );
});
