import { describe, expect, test } from "vitest";
import { DEFAULT_POLICY_SETTINGS } from "../src/admission-plan.ts";
import type { Queue } from "../src/queue.ts";
import { ClusterInRounds, type Behaviour } from "./fixtures/cluster-in-rounds.ts";
import { application, cpus, node, nodes, plan, pod, queue, queues, resources, snapshot } from "./fixtures/sentences.ts";

/** The application in `adhoc` fills the cluster with default settings: its executors cannot leave without loss. */
const fixed = application("fixed").in("adhoc").promised().settled().needing(9).running(9, { leave: "deletion" });
const daily = application("daily").in("etl").needing(1).since(1);

function guaranteed(adhoc: Partial<Omit<Queue, "name">> = {}): { readonly queues: Queue } {
  return { queues: queues(queue("etl", { guarantee: cpus(4) }), queue("adhoc", adhoc)) };
}

describe("a guarantee", () => {
  test("is kept against applications that run on defaults: as many executors as are needed are deleted, the latest first", () => {
    const told = plan(snapshot([fixed, daily], guaranteed()));
    expect(told.asked).toEqual([]);
    expect(told.deleted).toEqual(["fixed/9 for daily: guarantee", "fixed/8 for daily: guarantee"]);
    expect(told.waits["daily"]).toMatchObject({ roomToCome: true, holders: [] });
  });

  test("is all that executors are deleted for: neither for a share, nor for a priority", () => {
    const more = application("daily").in("etl").needing(4);
    expect(plan(snapshot([fixed, more], guaranteed())).deleted).toEqual([]);
    const urgent = application("urgent").in("adhoc").ofPriority(9);
    expect(plan(snapshot([fixed, urgent], guaranteed())).deleted).toEqual([]);
  });

  test("takes first what can be had without loss, of any queue", () => {
    const movable = application("movable").in("other").promised().settled().running(2);
    const six = application("fixed").in("adhoc").promised().settled().needing(6).running(6, { leave: "deletion" });
    const tree = { queues: queues(queue("etl", { guarantee: cpus(4) }), queue("adhoc"), queue("other")) };
    const told = plan(snapshot([six, movable, daily], tree));
    expect([told.asked, told.deleted]).toEqual([["movable/2 for daily: guarantee"], ["fixed/6 for daily: guarantee"]]);
  });

  test("takes those first that never began to run, however they could leave later", () => {
    const young = application("young")
      .in("adhoc")
      .promised()
      .settled()
      .running(1, { leave: "deletion" })
      .running(1, { leave: "graceful", state: "pending", began: undefined, node: "n" })
      .running(7, { leave: "deletion" });
    expect(plan(snapshot([young, daily], guaranteed())).deleted).toEqual([
      "young/2 for daily: guarantee",
      "young/9 for daily: guarantee",
    ]);
  });

  test("deletes where the fewest are lost that run", () => {
    const cluster = nodes(node("n1", resources(4)), node("n2", resources(4)), node("n3", resources(3)));
    const spread = application("spread")
      .in("adhoc")
      .promised()
      .settled()
      .withDriver(pod(1), "n3")
      .running(2, { node: "n2", pod: pod(2), leave: "deletion" })
      .running(4, { node: "n1", leave: "deletion" });
    const poor = application("poor")
      .in("etl")
      .promised()
      .settled()
      .withDriver(pod(1), "n3")
      .running(1, { node: "n3" })
      .waitingFor(1, pod(2));
    expect(plan(snapshot([spread, poor], { ...guaranteed(), ...cluster })).deleted).toEqual([
      "spread/2 for poor: guarantee",
    ]);
  });

  test("leaves each application its floor, and each queue its guarantee", () => {
    expect(plan(snapshot([fixed, daily], guaranteed({ floor: 8 }))).deleted).toEqual([]);
    expect(plan(snapshot([fixed, daily], guaranteed({ floor: "minimum" }))).deleted).toEqual([]);
    const both = { queues: queues(queue("etl", { guarantee: cpus(4) }), queue("adhoc", { guarantee: cpus(9) })) };
    expect(plan(snapshot([fixed, daily], both)).deleted).toEqual([]);
  });

  test("takes nothing from queues that are kept out, whichever queue above says so", () => {
    expect(plan(snapshot([fixed, daily], guaranteed({ preemption: "graceful" }))).deleted).toEqual([]);
    expect(plan(snapshot([fixed, daily], guaranteed({ preemption: "never" }))).deleted).toEqual([]);
    const movable = application("movable").in("adhoc").promised().settled().running(9);
    expect(plan(snapshot([movable, daily], guaranteed({ preemption: "graceful" }))).asked).toHaveLength(2);
    expect(plan(snapshot([movable, daily], guaranteed({ preemption: "never" }))).asked).toEqual([]);
    const below = queue("all", { preemption: "never", children: [queue("adhoc")] });
    const deep = application("fixed").in("all.adhoc").promised().settled().running(9, { leave: "deletion" });
    const tree = { queues: queues(queue("etl", { guarantee: cpus(4) }), below) };
    expect(plan(snapshot([deep, daily], tree)).deleted).toEqual([]);
  });

  test("does not take executors that would be made again at once", () => {
    const ofSet = application("fixed").in("adhoc").promised().settled().running(9, { leave: "never" });
    expect(plan(snapshot([ofSet, daily], guaranteed())).deleted).toEqual([]);
  });

  test("is not taken back: what a victim asks for in their place waits, and nobody is asked for it", () => {
    const robbed = application("fixed")
      .in("adhoc")
      .promised()
      .settled()
      .needing(9)
      .running(7, { leave: "deletion" })
      .waitingFor(2);
    const served = application("daily").in("etl").promised().settled().running(1).since(1);
    const told = plan(snapshot([robbed, served], guaranteed()));
    expect([told.admitted, told.asked, told.deleted]).toEqual([[], [], []]);
    const started = plan(snapshot([robbed, daily], guaranteed()));
    expect([started.started, started.admitted]).toEqual([["daily"], []]);
  });
});

describe("a guarantee among large applications", () => {
  test("is kept though all that others have is their minimum", () => {
    const large = application("large").in("a").promised().settled().needing(12).running(12, { leave: "deletion" });
    const other = application("other").in("b").promised().settled().needing(7).running(7, { leave: "deletion" });
    const late = application("late").in("b").needing(1).since(1);
    const tree = queues(queue("a", { guarantee: cpus(10) }), queue("b", { guarantee: cpus(10) }));
    const full = { queues: tree, capacity: { kind: "configured" as const, total: resources(21) } };
    expect(plan(snapshot([large, other, late], full)).deleted).toEqual([
      "large/12 for late: guarantee",
      "large/11 for late: guarantee",
    ]);
  });

  const usual: Behaviour = {
    ...{ id: "", queue: "", priority: 0, comes: 0, driver: pod(1), executor: pod(1) },
    ...{ minimum: 1, wants: 1, works: Number.POSITIVE_INFINITY, gated: true, leave: "deletion" },
  };

  test("is reached exactly by as many deletions, and nothing is deleted after that", () => {
    const tree = queues(queue("a", { guarantee: cpus(100) }), queue("b"));
    const greedy = { ...usual, id: "greedy", queue: "b", wants: 600 };
    const hungry = { ...usual, id: "hungry", queue: "a", comes: 4, wants: 300 };
    const capacity = { kind: "configured" as const, total: resources(300) };
    const cluster = new ClusterInRounds([greedy, hungry], { capacity, queues: tree });
    const deleted = Array.from({ length: 20 }, () =>
      cluster.play().decisions.filter(({ kind }) => kind === "delete"),
    ).flat();
    expect(deleted).toHaveLength(100);
    expect(new Set(deleted.map(({ application: victim }) => victim))).toEqual(new Set(["greedy"]));
    const counts = cluster.applications.map(({ id, present }) => [id, present.length]);
    expect(Object.fromEntries(counts)).toEqual({ greedy: 199, hungry: 99 });
  });

  test("does not have two applications that want all of it take from each other in turn", () => {
    for (const guarantee of [{}, cpus(4)]) {
      const tree = queues(queue("a", { guarantee }), queue("b", { guarantee }));
      const one = { ...usual, id: "one", queue: "a", wants: 9 };
      const cluster = new ClusterInRounds([one, { ...one, id: "two", queue: "b", comes: 5 }], {
        ...{ capacity: { kind: "configured", total: resources(9) }, queues: tree },
      });
      const deleted = Array.from({ length: 40 }, () =>
        cluster.play().decisions.filter(({ kind }) => kind === "delete"),
      );
      expect(deleted.slice(15).flat()).toEqual([]);
      expect(deleted.flat().every(({ application: victim }) => victim === "one")).toBe(true);
    }
  });
});

describe("who waits is told which queue has the room, and why it cannot be had", () => {
  const nine = [{ queue: "adhoc", amounts: cpus(10) }];
  const movable = application("movable").in("adhoc").promised().settled().running(9);
  const large = application("daily").in("etl").needing(4).since(1);
  const fresh = application("fixed").in("adhoc").promised().needing(9).running(8, { leave: "deletion" }).running(1);
  test.each([
    ["never", fixed, guaranteed({ preemption: "never" }), daily],
    ["graceful", fixed, guaranteed({ preemption: "graceful" }), daily],
    ["floor", fixed, guaranteed({ floor: "minimum" }), daily],
    ["floor", fresh, guaranteed(), daily],
    ["sets", application("s").in("adhoc").promised().settled().running(9, { leave: "never" }), guaranteed(), daily],
    ["too-little", movable, guaranteed({ floor: 8 }), daily],
    ["loss", fixed, guaranteed(), large],
    [
      "share",
      movable,
      { queues: queues(queue("etl"), queue("adhoc", { weight: 9 })) },
      application("daily").needing(4),
    ],
  ] as const)("%s", (why, holder, tree, waiting) => {
    const memoryApart = { capacity: { kind: "configured" as const, total: resources(10, 100) } };
    expect(plan(snapshot([holder, waiting], { ...tree, ...memoryApart })).waits["daily"]).toMatchObject({
      roomToCome: false,
      holders: nine.map((one) => ({ ...one, why })),
    });
  });

  test("off", () => {
    const settings = { ...DEFAULT_POLICY_SETTINGS, preemption: false };
    expect(plan(snapshot([fixed, daily], guaranteed()), settings).waits["daily"]?.holders).toMatchObject([
      { queue: "adhoc", why: "off" },
    ]);
  });

  test("counts only what is above a guarantee", () => {
    const tree = { queues: queues(queue("etl", { guarantee: cpus(4) }), queue("adhoc", { guarantee: cpus(7) })) };
    const told = plan(
      snapshot([fixed, large], { ...tree, capacity: { kind: "configured", total: resources(10, 100) } }),
    );
    expect(told.waits["daily"]?.holders).toEqual([{ queue: "adhoc", amounts: cpus(3), why: "loss" }]);
  });
});
