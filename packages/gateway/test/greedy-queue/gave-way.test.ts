import { aPod } from "@kindling/test-kit/a-pod";
import { ManualClock } from "@kindling/outside";
import type { ApplicationDemand, PodShape, PresentExecutor } from "@kindling/admission";
import { expect, test } from "vitest";
import { GaveWay } from "../../src/admission/gave-way.ts";
import { gaveWayWords, type Beneficiary } from "../../src/admission/gave-way-words.ts";
import { knownPod } from "../support/known-pod.ts";

const POD: PodShape = {
  ...{ requests: { cpu: 1000 }, limits: {} },
  placement: { nodeSelector: {}, nodeAffinity: undefined, tolerations: [] },
};
const DAILY: Beneficiary = { name: "daily", queue: "etl", reason: "guarantee" };

function victim(running: number, leaving: number, waiting: number): ApplicationDemand {
  const executor = (state: PresentExecutor["state"], index: number): PresentExecutor => ({
    ...{ id: `${state}-${index}`, pod: POD, state, node: "n", began: 1, leave: "deletion" },
  });
  return {
    ...{ id: "uid", namespace: "spark", queue: "adhoc", priority: 0, since: 0 },
    driver: { pod: POD, state: "started", promised: true, node: "n" },
    minimum: { count: 3, pod: POD, reached: true },
    waiting: Array.from({ length: waiting }, (_, index) => ({ id: `w-${index}`, pod: POD })),
    present: [
      ...Array.from({ length: running }, (_, index) => executor("running", index)),
      ...Array.from({ length: leaving }, (_, index) => executor("leaving", index)),
    ],
  };
}

interface Observed {
  readonly gaveWay: GaveWay;
  readonly clock: ManualClock;
  readonly told: string[];
  /** The words about the victim after a plan. */
  readonly said: (demand: ApplicationDemand, taken?: number) => string | undefined;
}

function observed(): Observed {
  const clock = new ManualClock(0);
  const told: string[] = [];
  const driver = knownPod(aPod("d").uid("uid"));
  const gaveWay = new GaveWay({
    clock,
    tell: (_, words) => void told.push(words),
    driver: (uid) => (uid === "uid" ? driver : undefined),
    onLater: () => undefined,
  });
  return { gaveWay, clock, told, said: (demand, taken = 0) => gaveWay.words([demand], () => taken).get("uid") };
}

test("a victim is told what it lacks from the moment on in which it is decided, until it has all again", () => {
  const { gaveWay, clock, told, said } = observed();
  expect(said(victim(3, 0, 0))).toBeUndefined();
  for (const _ of [1, 2]) gaveWay.note("uid", DAILY);
  const words = "wants 3 executors, has 1: 2 gave way to daily in queue etl, which has a guarantee";
  expect(said(victim(3, 0, 0), 2)).toBe(words);
  expect(said(victim(1, 2, 0))).toBe(words);
  // The executors are gone, but their driver has not noticed it yet.
  expect(said(victim(1, 0, 0))).toBeUndefined();
  clock.advanceAtOnce(5_000);
  expect(said(victim(1, 0, 2))).toBe(words);
  expect(said(victim(2, 0, 1))).toBe(
    "wants 3 executors, has 2: 2 gave way to daily in queue etl, which has a guarantee",
  );
  said(victim(3, 0, 0));
  clock.advanceAtOnce(60_000);
  expect(said(victim(3, 0, 0))).toBeUndefined();
  expect(told.at(-1)).toBe(
    "has all the executors that it wants again: 2 gave way to daily in queue etl, which has a guarantee",
  );
  expect(gaveWay.isEmpty).toBe(true);
});

test("an application that is gone is forgotten", () => {
  const { gaveWay } = observed();
  gaveWay.note("uid", DAILY);
  gaveWay.note("other", DAILY);
  gaveWay.words([], () => 0);
  expect(gaveWay.isEmpty).toBe(true);
});

test("the latest to whom something went is named first, and many are counted", () => {
  const to = (name: string, reason: Beneficiary["reason"]): Beneficiary => ({ name, queue: "q", reason });
  const losses = [
    { to: to("a", "guarantee"), count: 1 },
    { to: to("b", "share"), count: 2 },
    { to: to("c", "priority"), count: 3 },
    { to: to("d", "share"), count: 4 },
    { to: to("e", "share"), count: 5 },
  ];
  expect(gaveWayWords(losses, { wants: 1, has: 0 })).toBe(
    "wants 1 executor, has 0: 1 gave way to a in queue q, which has a guarantee; 2 to b in queue q, which has less than its share; 3 to c in queue q, which has a higher priority; 9 to others",
  );
});
