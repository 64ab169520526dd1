import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  DEFAULT_POLICY_SETTINGS,
  type AdmissionPlan,
  type Decision,
  type PolicySnapshot,
} from "../src/admission-plan.ts";
import { minimumCount, type ApplicationDemand } from "../src/application-demand.ts";
import type { Capacity } from "../src/capacity.ts";
import { planAdmission } from "../src/plan-admission.ts";
import type { Queue, QueueFloor, QueuePreemption } from "../src/queue.ts";
import { add, sum, type Resources } from "../src/resources.ts";
import { admittedOf, heldAfter, queuesAfter } from "./fixtures/account.ts";
import { someBehaviours, someCapacity, someQueues, UNIFORM } from "./fixtures/arbitraries.ts";
import { ClusterInRounds, NAMESPACE, type Behaviour } from "./fixtures/cluster-in-rounds.ts";
import { node, pod, resources } from "./fixtures/sentences.ts";

const ROUNDS = 30;

/** The snapshots of all rounds of a busy cluster. */
const someHistory = fc
  .record({
    capacity: someCapacity,
    queues: someQueues,
    behaviours: someBehaviours(fc.integer({ min: 1, max: 12 })),
    quota: fc.option(fc.integer({ min: 6, max: 30 }), { nil: undefined }),
    leaving: fc.integer({ min: 1, max: 3 }),
    preemption: fc.boolean(),
    obeysNodes: fc.boolean(),
  })
  .map(({ behaviours, quota, preemption, ...rest }) => {
    const hard = { "requests.cpu": (quota ?? 0) * 1000, pods: 100 };
    const cluster = new ClusterInRounds(behaviours, {
      ...rest,
      settings: { ...DEFAULT_POLICY_SETTINGS, preemption },
      quotas: quota === undefined ? [] : [{ namespace: NAMESPACE, name: "compute", hard, used: {} }],
    });
    return Array.from({ length: ROUNDS }, () => {
      cluster.play();
      return cluster.snapshot;
    });
  });

/** Checks a plan for each of these snapshots. */
function forEveryPlan(check: (snapshot: PolicySnapshot, plan: AdmissionPlan) => void): void {
  const each = fc.property(someHistory, (history) => {
    for (const snapshot of history) check(snapshot, planAdmission(snapshot, DEFAULT_POLICY_SETTINGS));
  });
  fc.assert(each, { numRuns: 60 });
}

describe("every plan", () => {
  test("stays within the capacity", () => {
    forEveryPlan(({ capacity, applications }, { decisions }) => {
      const held = sum(applications.map((demand) => heldAfter(demand, decisions)));
      expect(overdrawn(held, totalOf(capacity))).toEqual([]);
    });
  });

  test("puts no more on a node than there is room for", () => {
    forEveryPlan(({ capacity, applications }, { decisions }) => {
      for (const { name, allocatable } of nodesOf(capacity)) {
        const there = sum(applications.map((demand) => onNode(demand, decisions, name)));
        expect(overdrawn(there, allocatable)).toEqual([]);
      }
    });
  });

  test("stays within the ceilings of all queues", () => {
    forEveryPlan((snapshot, { decisions }) => {
      for (const { ceiling, held } of queuesAfter(snapshot, decisions)) {
        const limited = Object.entries(held).filter(([name]) => name in ceiling);
        expect(overdrawn(Object.fromEntries(limited), ceiling)).toEqual([]);
      }
    });
  });

  test("admits nothing above a quota", () => {
    forEveryPlan(({ quotas, applications }, { decisions }) => {
      const made = sum(applications.flatMap((demand) => admittedOf(demand, decisions)).map(({ requests }) => requests));
      const exceeded = quotas.filter(({ hard, used }) => {
        const then = (used["requests.cpu"] ?? 0) + (made["cpu"] ?? 0);
        return (made["cpu"] ?? 0) > 0 && then > (hard["requests.cpu"] ?? 0);
      });
      expect(exceeded).toEqual([]);
    });
  });

  test("starts only who is held, admits only who waits, and asks only those to leave who run", () => {
    forEveryPlan(({ applications }, { decisions }) => {
      const known = new Map(applications.map((demand) => [demand.id, demand]));
      expect(decisions.filter((decision) => !isAllowed(known.get(decision.application), decision))).toEqual([]);
    });
  });

  test("decides nothing twice", () => {
    forEveryPlan((_, { decisions }) => {
      const subjects = decisions.map((one) =>
        one.kind === "start" ? one.application : `${one.application}/${one.executor}`,
      );
      expect(repeated(subjects)).toEqual([]);
    });
  });

  test("never takes of a floor, nor of a minimum that has not been there", () => {
    forEveryPlan(({ applications, queues }, { decisions }) => {
      const robbed = applications.filter((demand) => {
        const taken = decisions.filter((one) => isTaking(one) && one.application === demand.id).length;
        const standing = demand.present.filter(({ state }) => state !== "leaving").length;
        const { floor } = ruleOf(queues, demand.queue);
        const left = demand.minimum.reached && floor !== "minimum" ? floor : minimumCount(demand);
        return taken > 0 && standing - taken < left;
      });
      expect(robbed).toEqual([]);
    });
  });

  test("takes nothing of a queue that says so, and deletes only for another queue that stays within its guarantee", () => {
    forEveryPlan((snapshot, { decisions }) => {
      const { applications, queues } = snapshot;
      const known = new Map(applications.map((demand) => [demand.id, demand]));
      for (const one of decisions.filter(isTaking)) {
        const victim = known.get(one.application)?.queue ?? "";
        const claimant = known.get(one.inFavourOf)?.queue ?? "";
        const { preemption } = ruleOf(queues, victim);
        expect(preemption).not.toBe("never");
        if (one.kind !== "delete") continue;
        expect(preemption).toBe("any");
        expect(victim).not.toBe(claimant);
        expect(one.reason).toBe("guarantee");
        const guaranteed = ["a", "b", "b.x", "c"].filter(
          (path) => claimant === path || claimant.startsWith(`${path}.`),
        );
        expect(guaranteed).not.toEqual([]);
      }
    });
  });

  test("says who has the room only of queues that have more than they are guaranteed, and none of those that gave something", () => {
    forEveryPlan((_, { decisions, waits }) => {
      for (const { application, queue, holders, roomToCome } of waits) {
        expect(roomToCome && holders.length > 0).toBe(false);
        expect(repeated(holders.map((holder) => holder.queue))).toEqual([]);
        for (const holder of holders) {
          expect(holder.queue).not.toBe(queue);
          expect(Object.values(holder.amounts).every((amount) => amount > 0)).toBe(true);
        }
        expect(decisions.some((one) => isTaking(one) && one.inFavourOf === application && holders.length > 0)).toBe(
          false,
        );
      }
    });
  });

  test("says of everybody who still waits why, once", () => {
    forEveryPlan(({ applications }, { decisions, waits }) => {
      const told = waits.map(({ application }) => application);
      const waiting = applications.filter((demand) => stillWaits(demand, decisions)).map(({ id }) => id);
      expect(told).toEqual(expect.arrayContaining(waiting));
      expect(repeated(told)).toEqual([]);
    });
  });

  test("is the same for the same snapshot, which it does not change", () => {
    forEveryPlan((snapshot, plan) => {
      const frozen = deepFrozen(structuredClone(snapshot));
      expect(planAdmission(frozen, DEFAULT_POLICY_SETTINGS)).toEqual(plan);
    });
  });

  test("leaves nothing free that somebody could have, unless it is kept", () => {
    forEveryPlan((snapshot, { decisions, waits }) => {
      const { capacity, applications } = snapshot;
      const isKept = waits.some(({ what, reason }) => what !== "surplus" || reason.kind === "kept");
      const isOwed = applications.some((demand) => lacksMinimum(demand, decisions));
      if (capacity.kind === "nodes" || isKept || isOwed) return;
      const held = sum(applications.map((demand) => heldAfter(demand, decisions)));
      const queuesThen = queuesAfter(snapshot, decisions);
      const forgotten = waits.filter(({ queue, needs, reason }) => {
        const above = queuesThen.filter(({ path }) => path === "" || queue === path || queue.startsWith(`${path}.`));
        const isLimited = above.some(({ ceiling, held }) =>
          Object.entries(ceiling).some(([name, most]) => (held[name] ?? 0) + (needs[name] ?? 0) > most),
        );
        return reason.kind !== "quota" && !isLimited && overdrawn(add(held, needs), totalOf(capacity)).length === 0;
      });
      expect(forgotten).toEqual([]);
    });
  });

  test("puts as many executors of one size on nodes as there is room for", () => {
    const free = someQueues.map((root) => ({
      ...root,
      children: root.children.map((one) => ({ ...one, ceiling: {} })),
    }));
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 2, maxLength: 5 });
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 4 }), free, (sizes, size, queues) => {
        const room = sizes.reduce((sum, one) => sum + Math.floor(one / size), 0);
        fc.pre(room >= 2);
        const executor = pod(size, 0);
        const hungry = (id: string): Behaviour => ({ ...HUNGRY, id, queue: id, executor });
        // The drivers have their own node, on which no executor fits.
        const nodes = [
          node("drivers", resources(0, 2)),
          ...sizes.map((one, index) => node(`n${index}`, resources(one, 0))),
        ];
        const cluster = new ClusterInRounds([hungry("a"), hungry("c")], {
          queues,
          capacity: { kind: "nodes", nodes },
          settings: { ...DEFAULT_POLICY_SETTINGS, preemption: false },
        });
        for (let round = 0; round < 5; round++) cluster.play();
        expect(cluster.applications.flatMap(({ present }) => present)).toHaveLength(room);
      }),
    );
  });
});

describe("executors that were asked to leave", () => {
  const endless = (sizes?: typeof UNIFORM) =>
    fc.record({
      capacity: someCapacity,
      queues: someQueues,
      behaviours: someBehaviours(fc.constant(Number.POSITIVE_INFINITY), sizes),
    });

  test("are not asked for back: when nobody's wishes change, it is soon quiet", () => {
    fc.assert(
      fc.property(endless(), ({ behaviours, ...options }) => {
        const cluster = new ClusterInRounds(behaviours, options);
        const rounds = Array.from({ length: 60 }, () => cluster.play().decisions);
        expect(rounds.slice(40).flat()).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  test("are not asked in favour of those who were asked in their favour", () => {
    fc.assert(
      fc.property(endless(UNIFORM), ({ behaviours, ...options }) => {
        const latest = Math.max(...behaviours.map(({ comes }) => comes));
        // The last one comes when all others have settled.
        const late = behaviours.map((one) => (one.comes === latest ? { ...one, comes: 40 } : one));
        const cluster = new ClusterInRounds(late, options);
        const rounds = Array.from({ length: 80 }, () => cluster.play().decisions);
        // Until then the drivers have not asked for everything that they want.
        const told = rounds.findLastIndex((decisions) => decisions.some(({ kind }) => kind === "start")) + 2;
        const asked = rounds
          .slice(told)
          .flat()
          .flatMap((one) => (isTaking(one) ? [`${one.application} ${one.inFavourOf}`] : []));
        const back = new Set(asked.map((pair) => pair.split(" ").toReversed().join(" ")));
        expect(asked.filter((pair) => back.has(pair))).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});

/** Its driver needs memory, but no CPU. */
const HUNGRY: Omit<Behaviour, "id" | "queue" | "executor"> = {
  priority: 0,
  comes: 0,
  driver: pod(0, 1),
  minimum: 1,
  wants: 60,
  works: Number.POSITIVE_INFINITY,
  gated: true,
};

function isTaking(one: Decision): one is Decision & { readonly kind: "decommission" | "delete" } {
  return one.kind === "decommission" || one.kind === "delete";
}

/** The rules for the applications of a queue: its own, or else those of its parents. */
function ruleOf(root: Queue, path: string): { readonly floor: number | "minimum"; readonly preemption: string } {
  const names = path.split(".");
  let [queue, floor, preemption]: [Queue | undefined, QueueFloor, QueuePreemption] = [root, 1, "any"];
  for (const name of names) {
    queue = queue?.children.find((child) => child.name === name);
    floor = queue?.floor ?? floor;
    preemption = queue?.preemption ?? preemption;
  }
  return { floor, preemption };
}

/** The resources that are used more than there is. */
function overdrawn(used: Resources, most: Resources): readonly string[] {
  return Object.keys(used).filter((name) => (used[name] ?? 0) > (most[name] ?? 0));
}

function repeated(all: readonly string[]): readonly string[] {
  return all.filter((one, index) => all.indexOf(one) !== index);
}

function nodesOf(capacity: Capacity): Extract<Capacity, { kind: "nodes" }>["nodes"] {
  return capacity.kind === "nodes" ? capacity.nodes : [];
}

function totalOf(capacity: Capacity): Resources {
  return capacity.kind === "nodes"
    ? sum(capacity.nodes.map(({ allocatable }) => allocatable))
    : { pods: Number.POSITIVE_INFINITY, ...capacity.total };
}

function onNode(demand: ApplicationDemand, decisions: readonly Decision[], name: string): Resources {
  const { driver, present, waiting } = demand;
  const own = decisions.filter(({ application }) => application === demand.id);
  const put = new Set(own.flatMap((one) => (one.kind === "admit" && one.node === name ? [one.executor] : [])));
  const starts = own.some((one) => one.kind === "start" && one.node === name);
  return sum([
    ...(driver.node === name || starts ? [driver.pod.requests] : []),
    ...present.filter(({ node }) => node === name).map(({ pod }) => pod.requests),
    ...waiting.filter(({ id }) => put.has(id)).map(({ pod }) => pod.requests),
  ]);
}

function isAllowed(demand: ApplicationDemand | undefined, decision: Decision): boolean {
  switch (decision.kind) {
    case "start":
      return demand?.driver.state === "gated";
    case "admit":
      return demand?.driver.state === "started" && demand.waiting.some(({ id }) => id === decision.executor);
    case "decommission":
    case "delete": {
      const executor = demand?.present.find(({ id }) => id === decision.executor);
      if (executor === undefined || decision.inFavourOf === decision.application) return false;
      const { state, leave } = executor;
      if (decision.kind === "decommission") return state === "running" && leave === "graceful";
      return (state === "running" && leave === "deletion") || (state === "pending" && leave !== "never");
    }
  }
}

function stillWaits(demand: ApplicationDemand, decisions: readonly Decision[]): boolean {
  if (demand.driver.state === "started") return admittedOf(demand, decisions).length < demand.waiting.length;
  return !decisions.some(({ kind, application }) => kind === "start" && application === demand.id);
}

function lacksMinimum(demand: ApplicationDemand, decisions: readonly Decision[]): boolean {
  const standing =
    demand.present.filter(({ state }) => state !== "leaving").length + admittedOf(demand, decisions).length;
  return demand.driver.state === "started" && standing < minimumCount(demand);
}

function deepFrozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) for (const part of Object.values(value)) deepFrozen(part);
  return Object.freeze(value);
}
