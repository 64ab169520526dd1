import type { KubeObject } from "@kindling/kube-objects";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type KueueApplication,
  planWorkloads,
  type WorkloadStep,
} from "../../../src/admission/kueue/plan-workloads.ts";
import type { Workload, WorkloadState } from "../../../src/admission/kueue/workload.ts";

const NODES = { driverNodes: { flavors: ["any"], updates: [] }, executorNodes: { flavors: ["any"], updates: [] } };

function has(executors: number): WorkloadState {
  return { kind: "admitted", executors, ...NODES };
}

function workload(name: string, executors: number, state: WorkloadState): Workload {
  const object = { metadata: { name } } as unknown as KubeObject;
  const part = name === "core" ? "core" : "surplus";
  return { object, driver: { name: "drv", uid: "u" }, part, profile: "0", executors, state, isReady: false };
}

function application(waiting: number, staying: number, leaving = 0, minimum = 2): KueueApplication {
  const held = new Map(staying + leaving === 0 ? [] : [["any", { running: 0, staying, leaving }]]);
  return {
    driver: { state: "started", isRunning: true, isManaged: false },
    minimum,
    profiles: new Map([["0", { waiting, held }]]),
  };
}

function said(steps: readonly WorkloadStep[]): string[] {
  return steps.map((step) => {
    const name = "workload" in step ? (step.workload?.object.metadata.name ?? "") : step.part;
    return `${step.kind} ${name}${"executors" in step ? ` ${step.executors}` : ""}`;
  });
}

const PENDING: WorkloadState = { kind: "pending", message: undefined };
const CORE = workload("core", 2, has(2));

describe("the executors of an application", () => {
  test.each<
    readonly [what: string, application: KueueApplication, others: readonly Workload[], steps: readonly string[]]
  >([
    ["are admitted within the minimum", application(2, 0), [], ["admit core 2"]],
    ["are asked for beyond it", application(5, 2), [], ["create surplus 5"]],
    ["are asked for by the Workload that waits", application(7, 2), [workload("w1", 5, PENDING)], ["ask w1 7"]],
    [
      "are asked for again where Kueue has admitted only some",
      application(5, 2),
      [workload("w1", 5, has(3))],
      ["admit w1 3", "create surplus 2"],
    ],
    ["are not asked for any more", application(1, 2), [workload("w1", 5, PENDING)], ["ask w1 1"]],
    ["are not wanted any more at all", application(0, 2), [workload("w1", 5, PENDING)], ["delete w1"]],
    [
      "give quota back, the latest first",
      application(0, 4),
      [workload("w1", 3, has(3)), workload("w2", 2, has(2))],
      ["keep w1 2", "delete w2"].toReversed(),
    ],
    [
      "take the places of those that leave only when these are gone",
      application(2, 3, 2),
      [workload("w1", 3, has(3))],
      [],
    ],
  ])("%s", (_, wanted, others, steps) => {
    expect(said(planWorkloads(wanted, [CORE, ...others], true).steps)).toEqual(steps);
  });

  test("keep quota that is not used for a while", () => {
    const plan = planWorkloads(application(0, 2), [CORE, workload("w1", 3, has(3))], false);
    expect(plan).toEqual({ steps: [], unused: 3 });
  });

  test("leave when Kueue takes quota back, and their Workload is released when they are gone", () => {
    const evicted = workload("w1", 4, { kind: "evicted", reason: "Preempted", message: "", executors: 4, ...NODES });
    const at = (waiting: number, staying: number, leaving: number): string[] =>
      said(planWorkloads(application(waiting, staying, leaving), [CORE, evicted], true).steps);
    expect(at(0, 6, 0)).toEqual(["leave w1 4"]);
    expect(at(2, 2, 4)).toEqual([]);
    expect(at(4, 2, 0)).toEqual(["release w1"]);
  });
});

/** A cluster in which Kueue admits what fits, in part where it may. */
class Simulation {
  workloads: Workload[] = [];
  waiting = 0;
  staying = 0;
  leaving = 0;
  isStarted = false;
  #number = 0;

  get used(): number {
    return this.workloads.reduce((sum, { state }) => sum + ("executors" in state ? state.executors : 0), 0);
  }

  get asked(): number {
    return this.workloads.reduce((sum, { state, executors }) => sum + (state.kind === "pending" ? executors : 0), 0);
  }

  /** Carries out plans until nothing is left to do; returns how many plans there were. */
  settle(minimum: number): number {
    for (let rounds = 0; ; rounds++) {
      const state = this.isStarted ? "started" : "gated";
      const { driver, ...rest } = application(this.waiting, this.staying, this.leaving, minimum);
      const { steps } = planWorkloads({ ...rest, driver: { ...driver, state } }, this.workloads, true);
      const rewriting = steps.filter(({ kind }) => kind !== "ready");
      if (rewriting.length === 0 || rounds === 50) return rounds;
      for (const step of rewriting) this.#take(step);
    }
  }

  kueue(quota: number): void {
    let free = quota - this.used;
    this.workloads = this.workloads.map((one) => {
      if (one.state.kind !== "pending") return one;
      const granted =
        one.part === "core" ? (one.executors <= free ? one.executors : undefined) : Math.min(one.executors, free);
      if (granted === undefined || (granted <= 0 && one.part === "surplus")) return one;
      free -= granted;
      return { ...one, state: has(granted) };
    });
  }

  evict(index: number): void {
    const surplus = this.workloads.filter(({ part, state }) => part === "surplus" && state.kind === "admitted");
    const victim = surplus[index % Math.max(1, surplus.length)];
    this.workloads = this.workloads.map((one) =>
      one === victim && one.state.kind === "admitted"
        ? { ...one, state: { ...one.state, kind: "evicted", reason: "Preempted", message: "" } }
        : one,
    );
  }

  #take(step: WorkloadStep): void {
    switch (step.kind) {
      case "create":
        this.workloads.push(workload(step.part === "core" ? "core" : `w${++this.#number}`, step.executors, PENDING));
        return;
      case "start":
        this.isStarted = true;
        return;
      case "admit":
        this.waiting -= step.executors;
        this.staying += step.executors;
        return;
      case "leave":
        this.staying -= step.executors;
        this.leaving += step.executors;
        return;
      case "delete":
        this.workloads = this.workloads.filter((one) => one !== step.workload);
        return;
      case "ask":
        return this.#change(step.workload, { executors: step.executors });
      case "keep":
        return this.#change(step.workload, { executors: step.executors, state: has(step.executors) });
      case "release":
        return this.#change(step.workload, { state: PENDING });
      case "ready":
      case "finish":
      case "end":
        throw new Error(`${step.kind} is not expected`);
    }
  }

  #change(changed: Workload, change: Partial<Workload>): void {
    this.workloads = this.workloads.map((one) => (one === changed ? { ...one, ...change } : one));
  }
}

test("whatever happens, executors have quota, all that are wanted are asked for, and plans come to rest", () => {
  const event = fc.oneof(
    fc.record({ kind: fc.constant("ask" as const), count: fc.integer({ min: 1, max: 8 }) }),
    fc.record({ kind: fc.constantFrom("end" as const, "evict" as const, "gone" as const), count: fc.nat(8) }),
    fc.record({ kind: fc.constant("kueue" as const), count: fc.integer({ min: 2, max: 20 }) }),
  );
  fc.assert(
    fc.property(fc.nat(3), fc.array(event, { maxLength: 40 }), (minimum, events) => {
      const cluster = new Simulation();
      cluster.settle(minimum);
      cluster.kueue(20);
      cluster.settle(minimum);
      for (const { kind, count } of events) {
        if (kind === "ask") cluster.waiting += count;
        if (kind === "end") cluster.staying -= Math.min(count, cluster.staying);
        if (kind === "gone") cluster.leaving -= Math.min(count, cluster.leaving);
        if (kind === "evict") cluster.evict(count);
        if (kind === "kueue") cluster.kueue(count);
        expect(cluster.settle(minimum)).toBeLessThan(10);
        expect(cluster.staying + cluster.leaving).toBeLessThanOrEqual(cluster.used);
        const evicted = cluster.workloads.filter(({ state }) => state.kind === "evicted");
        const asked = cluster.asked + evicted.reduce((sum, { executors }) => sum + executors, 0);
        const core = cluster.workloads.find(({ part }) => part === "core");
        const granted = cluster.workloads.reduce(
          (sum, { state }) => sum + (state.kind === "admitted" ? state.executors : 0),
          0,
        );
        const spare = core === undefined ? 0 : core.executors;
        const wanted = cluster.waiting + cluster.staying;
        expect(asked + granted).toBeGreaterThanOrEqual(wanted);
        expect(asked + granted).toBeLessThanOrEqual(Math.max(wanted, spare) + cluster.leaving + evicted.length * 20);
      }
    }),
    { numRuns: 2_000 },
  );
});
