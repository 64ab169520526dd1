import fc from "fast-check";
import { expect, test } from "vitest";
import type { ScheduledSparkApplicationSpec, ScheduledSparkApplicationStatus } from "@kindling/spark-application";
import { timeText } from "../../src/application-states/status-changes.ts";
import { nextTime } from "../../src/schedule/cron/next-time.ts";
import { parseSchedule } from "../../src/schedule/cron/parse-schedule.ts";
import { decideSchedule, type ScheduleDecision, type ScheduleView } from "../../src/schedule/decide-schedule.ts";
import type { ScheduleRules } from "../../src/schedule/read-schedule.ts";
import type { ScheduledRun } from "../../src/schedule/scheduled-run.ts";
import { RULES, scheduled, TEMPLATE } from "./schedules.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

type Spec = Omit<ScheduledSparkApplicationSpec, "template">;

/** An operator, one schedule and its runs, with a manual clock. */
class World {
  spec: Spec;
  status: ScheduledSparkApplicationStatus = {};
  nowMs: number;
  isUp = true;
  /** The write after which the operator crashes before it gets the answer, counted from now. */
  crashAfter: number | undefined;
  readonly runs = new Map<string, ScheduledRun>();
  /** When each run was started, by its name and in this order. */
  readonly started = new Map<string, number>();
  /** Violations that were found. */
  readonly faults: string[] = [];
  readonly #created: string;
  readonly #rules: ScheduleRules;
  #lookAgainAtMs: number | undefined;

  constructor(spec: Spec, nowMs: number, stockTiming = false) {
    this.spec = spec;
    this.#rules = { ...RULES, stockTiming };
    this.nowMs = nowMs;
    this.#created = timeText(nowMs);
  }

  view(): ScheduleView {
    const object = scheduled({
      spec: { template: TEMPLATE, ...this.spec },
      status: this.status,
      metadata: { creationTimestamp: this.#created },
    });
    return { scheduled: object, runs: [...this.runs.values()], faults: [], nowMs: this.nowMs, rules: this.#rules };
  }

  /** Lets time pass; the operator checks at the times that it asked for. */
  pass(ms: number): void {
    const end = this.nowMs + ms;
    this.settle();
    while (this.isUp && this.#lookAgainAtMs !== undefined && this.#lookAgainAtMs <= end) {
      this.nowMs = Math.max(this.nowMs, this.#lookAgainAtMs);
      this.settle();
    }
    this.nowMs = end;
  }

  /** The operator checks until it has nothing to do. It may crash at any write. */
  settle(): void {
    for (let looks = 0; looks < 10; looks += 1) {
      if (!this.isUp) return;
      const decision = decideSchedule(this.view());
      this.#lookAgainAtMs = decision.lookAgainAtMs;
      if (isDone(decision, this.status)) return;
      this.#apply(decision);
    }
    this.faults.push("does not come to rest");
  }

  #apply({ start, status, deleteRuns }: ScheduleDecision): void {
    const replaced = start?.replaces;
    if (replaced !== undefined && this.#write(() => this.runs.delete(replaced))) return;
    if (start !== undefined && this.#write(() => this.#start(start.name))) return;
    if (this.#write(() => (this.status = structuredClone(status)))) return;
    for (const name of deleteRuns) if (this.#write(() => this.runs.delete(name))) return;
  }

  #start(name: string): void {
    if (this.started.has(name)) this.faults.push(`${name} is started twice`);
    if (this.spec.concurrencyPolicy === "Forbid" && this.unfinished().length > 0)
      this.faults.push(`${name} is started beside another`);
    this.started.set(name, this.nowMs);
    this.runs.set(name, { name, creationTimestamp: timeText(this.nowMs), state: "" });
  }

  /** @returns whether the operator has crashed after it */
  #write(write: () => unknown): boolean {
    write();
    if (this.crashAfter === undefined) return false;
    this.isUp = this.crashAfter > 0;
    this.crashAfter = this.isUp ? this.crashAfter - 1 : undefined;
    return !this.isUp;
  }

  unfinished(): readonly ScheduledRun[] {
    return [...this.runs.values()].filter(({ state }) => state !== "COMPLETED" && state !== "FAILED");
  }

  end(which: number, state: ScheduledRun["state"]): void {
    const unfinished = this.unfinished();
    const run = unfinished[which % Math.max(unfinished.length, 1)];
    if (run !== undefined) this.runs.set(run.name, { ...run, state });
  }
}

function isDone({ start, status, deleteRuns }: ScheduleDecision, stored: ScheduledSparkApplicationStatus): boolean {
  return start === undefined && status === stored && deleteRuns.length === 0;
}

function plannedMs(name: string): number {
  return Number(name.slice("pi-".length)) * 1000;
}

const SPEC: fc.Arbitrary<Spec> = fc.record({
  schedule: fc.constantFrom(
    "*/20 * * * *",
    "@hourly",
    "30 0-3 * * *",
    "15 */5 * * 0,1",
    "0 0 * * *",
    "@every 50m",
    "never",
  ),
  timeZone: fc.constantFrom("UTC", "Europe/London", "America/Sao_Paulo", "Australia/Lord_Howe", "Asia/Beirut"),
  concurrencyPolicy: fc.constantFrom("Allow", "Forbid", "Replace"),
  suspend: fc.constantFrom(false, false, false, true),
});
// Days before clocks change in one of the zones, forward or back.
const START = fc.constantFrom(
  ...["2026-03-28", "2026-10-24", "2018-11-03", "2018-02-17", "2026-04-03", "2026-10-02", "2027-03-26"].map((day) =>
    Date.parse(`${day}T11:37:21.250Z`),
  ),
);
const STATES = fc.constantFrom("COMPLETED", "FAILED", "RUNNING", "SUBMISSION_FAILED");

type Step = (world: World) => void;

function step<T>(values: fc.Arbitrary<T>, take: (world: World, value: T) => unknown): fc.Arbitrary<Step> {
  return values.map((value) => (world) => void take(world, value));
}

const STEP: fc.Arbitrary<Step> = fc.oneof(
  step(fc.integer({ min: 0, max: 30 * 60 }), (world, minutes) => world.pass(minutes * MINUTE)),
  step(fc.integer({ min: 0, max: 90 }), (world, minutes) => world.pass(minutes * MINUTE)),
  step(fc.tuple(fc.nat(), STATES), (world, [which, state]) => world.end(which, state)),
  step(fc.integer({ min: 0, max: 3 }), (world, writes) => (world.crashAfter = writes)),
  step(fc.constant(undefined), (world) => (world.isUp = !world.isUp)),
  step(SPEC, (world, spec) => (world.spec = spec)),
  step(SPEC, (world, { suspend = false }) => (world.spec = { ...world.spec, suspend })),
);

test("a time has one run, Forbid has one at a time, and of what was missed one is made up for", () => {
  fc.assert(
    fc.property(SPEC, START, fc.boolean(), fc.array(STEP, { maxLength: 20 }), (spec, startMs, stockTiming, steps) => {
      const world = new World(spec, startMs, stockTiming);
      for (const step of steps) {
        step(world);
        world.pass(1000);
      }
      world.isUp = true;
      world.crashAfter = undefined;
      world.settle();
      expect(world.faults).toEqual([]);
      // The planned time of a run is after the start of the previous run.
      const begun = [...world.started].map(([name, atMs]) => ({ plannedMs: plannedMs(name), atMs }));
      expect(begun.filter((run, index) => run.plannedMs <= (begun[index - 1]?.atMs ?? 0))).toEqual([]);
      // Runs start on time if nothing blocks them.
      expect(isWaitingForNothing(world)).toBe(false);
      expect(begun.filter((run) => run.plannedMs > run.atMs)).toEqual([]);
    }),
    { numRuns: 150 },
  );
});

function isWaitingForNothing(world: World): boolean {
  const { spec, status, nowMs } = world;
  if (spec.suspend === true || spec.schedule === "never") return false;
  if (spec.concurrencyPolicy === "Forbid" && world.unfinished().length > 0) return false;
  return !(Date.parse(status.nextRun ?? "") > nowMs);
}

test("an operator that is never away starts a run at each time of the schedule", () => {
  const followed = SPEC.filter(
    ({ schedule, concurrencyPolicy: policy }) => schedule !== "never" && policy !== "Forbid",
  );
  fc.assert(
    fc.property(followed, START, fc.array(STATES, { maxLength: 5 }), (spec, startMs, states) => {
      const world = new World({ ...spec, suspend: false }, startMs);
      for (const state of states) {
        world.pass(7 * HOUR);
        world.end(0, state);
      }
      world.pass(24 * HOUR);
      const zone = RULES.zones.find(spec.timeZone ?? "") ?? RULES.zones.local;
      const schedule = parseSchedule(spec.schedule, { zone, zones: RULES.zones });
      const wanted: [string, number][] = [];
      for (let next = nextTime(schedule, startMs); next !== undefined && next <= world.nowMs;) {
        wanted.push([`pi-${next / 1000}`, next]);
        next = nextTime(schedule, next);
      }
      expect([...world.started]).toEqual(wanted);
    }),
    { numRuns: 50 },
  );
});

test("years without a time are looked at each day, and have their end", () => {
  const world = new World({ schedule: "0 0 29 2 *" }, Date.parse("2098-01-01T08:00:00Z"));
  world.pass(Date.parse("2108-03-01T08:00:00Z") - world.nowMs);
  expect([...world.started.keys()].map((name) => new Date(plannedMs(name)).getUTCFullYear())).toEqual([2104, 2108]);
});
