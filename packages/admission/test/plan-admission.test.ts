import { describe, expect, test } from "vitest";
import { DEFAULT_POLICY_SETTINGS, type PolicySnapshot } from "../src/admission-plan.ts";
import {
  admittedBy,
  application,
  cpus,
  node,
  nodes,
  plan,
  pod,
  queue,
  queues,
  resources,
  snapshot,
} from "./fixtures/sentences.ts";

describe("a start", () => {
  test("is made when the driver and its minimum executors have room", () => {
    expect(plan(snapshot([application("a").needing(9)])).started).toEqual(["a"]);
  });

  test("is not made when there is room for the driver, but not for all of its minimum", () => {
    const told = plan(snapshot([application("a").needing(5), application("busy").promised().settled().running(4)]));
    expect(told.started).toEqual([]);
    expect(told.waits["a"]).toMatchObject({ what: "start", executors: 5, needs: { cpu: 6000 }, ahead: 0 });
    expect(told.waits["a"]?.reason).toMatchObject({ kind: "capacity", left: { cpu: 5000 } });
  });

  test("keeps room for the executors that its driver has not asked for yet", () => {
    const started = application("a").promised().needing(7);
    const told = plan(snapshot([started, application("b").needing(2).since(1)]));
    expect(told.started).toEqual([]);
    expect(told.waits["b"]?.reason).toMatchObject({ kind: "capacity", left: { cpu: 2000 } });
  });

  test("keeps no room any more once its minimum has been there", () => {
    const settled = application("a").promised().needing(7).settled();
    expect(plan(snapshot([settled, application("b").needing(2)])).started).toEqual(["b"]);
  });

  test("does not wait with its minimum for an older application that needs its driver's room", () => {
    // The older one has lost its executor, and the younger one has started before it asked for another.
    const older = application("older").promised().settled().needing(1, pod(3)).waitingFor(1).withDriver(pod(1), "n1");
    const younger = application("younger").since(1).promised().needing(1).waitingFor(1).withDriver(pod(1), "n1");
    const told = plan(snapshot([older, younger], nodes(node("n1", resources(4)))));
    expect(admittedBy(told)).toEqual({ younger: 1 });
    expect(told.waits["older"]).toMatchObject({ what: "minimum", roomToCome: false });
  });

  test("counts one executor for an application that says it needs none", () => {
    expect(plan(snapshot([application("a").needing(0).withDriver(pod(10))])).started).toEqual([]);
    expect(plan(snapshot([application("a").needing(0).withDriver(pod(9))])).started).toEqual(["a"]);
  });

  test("comes in the order of priority, and then of arrival", () => {
    const told = plan(
      snapshot([
        application("late").since(3).needing(2),
        application("early").since(1).needing(2),
        application("urgent").since(9).ofPriority(5).needing(2),
      ]),
    );
    expect(told.started).toEqual(["urgent", "early", "late"]);
  });

  test("needs a node for each pod, and not only enough in sum", () => {
    const four = (name: string) => node(name, resources(4));
    const told = plan(snapshot([application("a").needing(2, pod(3))], nodes(four("n1"), four("n2"))));
    expect(told.started).toEqual(["a"]);
    const tight = plan(
      snapshot([application("a").needing(2, pod(4))], nodes(four("n1"), four("n2"), node("n3", resources(0.5)))),
    );
    expect(tight.started).toEqual([]);
  });

  test("that can never fit says so and lets others by", () => {
    const told = plan(snapshot([application("huge").needing(10), application("b").since(1)]));
    expect(told.started).toEqual(["b"]);
    expect(told.waits["huge"]?.reason).toEqual({ kind: "never", limit: { kind: "capacity" } });
  });

  test("that is above its queue's ceiling for ever says so", () => {
    const told = plan(
      snapshot([application("huge").needing(5), application("b").since(1)], {
        queues: queues(queue("etl", { ceiling: cpus(4) })),
      }),
    );
    expect(told.started).toEqual(["b"]);
    expect(told.waits["huge"]?.reason).toEqual({ kind: "never", limit: { kind: "ceiling", queue: "etl" } });
  });

  test("in a queue that is not there says so", () => {
    const told = plan(snapshot([application("a").in("nowhere"), application("b")]));
    expect(told.started).toEqual(["b"]);
    expect(told.waits["a"]?.reason).toEqual({ kind: "no-queue" });
  });

  test("is told how many of its queue are ahead", () => {
    const busy = application("busy").promised().settled().running(9);
    const told = plan(snapshot([busy, ...[1, 2, 3].map((at) => application(`w${at}`).since(at))]));
    expect([told.waits["w1"]?.ahead, told.waits["w2"]?.ahead, told.waits["w3"]?.ahead]).toEqual([0, 1, 2]);
  });
});

describe("the first start that does not fit", () => {
  const busy = application("busy").in("other").promised().settled().running(4, { leave: "deletion" });
  const both = { queues: queues(queue("etl"), queue("other")) };

  test("has room kept, so that later ones cannot pass it by for ever", () => {
    const told = plan(snapshot([busy, application("big").needing(7).since(1), application("small").since(2)], both));
    expect(told.started).toEqual([]);
    expect(told.waits["small"]).toMatchObject({ ahead: 1, reason: { kind: "kept", inFavourOf: ["big"] } });
  });

  test("lets others have what it does not need", () => {
    const big = application("big").needing(6, pod(1, 0.25)).withDriver(pod(1, 0.25)).since(1);
    const told = plan(
      snapshot([busy, big, application("memory").needing(1, pod(0, 1)).withDriver(pod(0, 1)).since(2)], {
        ...both,
        capacity: { kind: "configured", total: resources(10, 20) },
      }),
    );
    expect(told.started).toEqual(["memory"]);
  });

  test("waits for as few nodes as can be, and others fill the rest", () => {
    const cluster = nodes(node("n1", resources(4)), node("n2", resources(4)), node("n3", resources(4)));
    const told = plan(
      snapshot(
        [
          application("busy")
            .promised()
            .settled()
            .withDriver(pod(1), "n1")
            .running(1, { node: "n2" })
            .running(1, { node: "n3" }),
          // It needs a whole node in addition to that of its driver.
          application("big").since(1).needing(1, pod(4)),
          application("small").since(2).withDriver(pod(2)).needing(1, pod(2)),
        ],
        cluster,
      ),
      { ...DEFAULT_POLICY_SETTINGS, preemption: false },
    );
    expect(told.started).toEqual(["small"]);
  });

  test("keeps what is left of a ceiling only against those below it", () => {
    const two = { queues: queues(queue("etl", { ceiling: cpus(4) }), queue("other")) };
    const running = application("a").promised().settled().running(1);
    const told = plan(
      snapshot(
        [running, application("b").needing(2).since(1), application("c").since(2), application("d").in("other")],
        two,
      ),
    );
    expect(told.started).toEqual(["d"]);
    expect(told.waits["b"]?.reason).toMatchObject({ kind: "ceiling", queue: "etl" });
    expect(told.waits["c"]?.reason).toMatchObject({ kind: "ceiling", queue: "etl", left: { cpu: 0 } });
  });
});

describe("room for a start", () => {
  const busy = application("busy").promised().settled().running(5, { leave: "deletion" });
  const small = application("small").since(2);
  const startedAt = (now: number) =>
    plan(snapshot([busy, application("big").needing(7), small], { now }), { ...DEFAULT_POLICY_SETTINGS, keepMs: 100 })
      .started;

  test.each([
    [0, true],
    [99, true],
    [100, false],
    [199, false],
    [200, true],
    [399, true],
    [400, false],
    [799, false],
    [800, true],
  ])("is kept after %d ms: %s", (now, isKept) => expect(startedAt(now)).toEqual(isKept ? [] : ["small"]));
});

describe("what a started driver is owed", () => {
  test("comes before anybody's surplus", () => {
    const rich = application("rich").in("a").promised().settled().running(1).waitingFor(20);
    const poor = application("poor").in("b").started().since(9).needing(5).waitingFor(5);
    const told = plan(snapshot([rich, poor], { queues: queues(queue("a", { weight: 100 }), queue("b")) }));
    expect(admittedBy(told)).toEqual({ poor: 5, rich: 2 });
  });

  test("is given to one after the other, and not a bit to each", () => {
    const owed = (id: string, since: number) => application(id).started().since(since).needing(5).waitingFor(5);
    const told = plan(snapshot([owed("young", 2), owed("old", 1)]));
    expect(admittedBy(told)).toEqual({ old: 5, young: 3 });
    const third = plan(snapshot([owed("young", 2), owed("old", 1), owed("older", 0)]));
    expect(admittedBy(third)).toEqual({ older: 5, old: 2 });
  });

  test("is given first to those whose gate was opened", () => {
    const held = application("held").promised().since(5).needing(7);
    const unheld = application("unheld").started().since(1).needing(7).waitingFor(7);
    expect(admittedBy(plan(snapshot([held, unheld])))).toEqual({ unheld: 1 });
  });

  test("keeps its room when it does not fit", () => {
    const owed = application("owed").started().needing(4).waitingFor(4);
    const busy = application("busy").promised().settled().running(5, { leave: "deletion" }).waitingFor(9);
    const told = plan(snapshot([owed, busy]));
    expect(admittedBy(told)).toEqual({ owed: 3 });
    expect(told.waits["owed"]).toMatchObject({ what: "minimum", executors: 1, reason: { kind: "capacity" } });
  });

  test("keeps room that is too small for it, too", () => {
    const owed = application("owed").started().needing(1, pod(2)).waitingFor(1);
    const busy = application("busy").promised().settled().running(7, { leave: "deletion" }).waitingFor(9);
    const told = plan(snapshot([owed, busy]));
    expect(told.admitted).toEqual([]);
    expect(told.waits["busy"]?.reason).toEqual({ kind: "kept", inFavourOf: ["owed"] });
  });

  describe("when it lacks only room, keeps its part", () => {
    const tree = (most: Partial<Record<"a" | "x", number>>) => {
      const ceilingOf = (name: "a" | "x") => ({ ceiling: most[name] === undefined ? {} : cpus(most[name]) });
      return queues(queue("a", { ...ceilingOf("a"), children: [queue("x", ceilingOf("x")), queue("y")] }), queue("b"));
    };
    const quota = {
      namespace: "spark",
      name: "compute",
      hard: { "requests.cpu": 5000 },
      used: { "requests.cpu": 2000 },
    };
    // An executor of three CPUs has to wait until `busy` is gone. Beside it there is room for a small start.
    const owed = application("owed").in("a.x").promised().withDriver(pod(1), "n0").needing(1, pod(3)).waitingFor(1);
    const busy = application("busy").in("b").inNamespace("other").promised().withDriver(pod(1), "n1").settled();
    const startedOf = (rest: Partial<PolicySnapshot>, later = application("later").in("a.x")) =>
      plan(
        snapshot([owed, busy, later.since(1)], {
          ...nodes(node("n0", resources(3)), node("n1", resources(3))),
          ...rest,
        }),
      ).started;

    test("of the ceiling of its queue", () => expect(startedOf({ queues: tree({ x: 5 }) })).toEqual([]));
    test("of a ceiling above", () => {
      expect(startedOf({ queues: tree({ a: 5 }) }, application("later").in("a.y"))).toEqual([]);
    });
    test("of a quota", () => expect(startedOf({ queues: tree({}), quotas: [quota] })).toEqual([]));

    test("and nothing more", () => {
      expect(startedOf({ queues: tree({}) })).toEqual(["later"]);
      expect(startedOf({ queues: tree({ x: 6, a: 6 }) })).toEqual(["later"]);
      expect(startedOf({ queues: tree({ a: 5 }) }, application("later").in("b"))).toEqual(["later"]);
    });
  });

  test("cannot be had when its own pods are in the way", () => {
    const owed = application("owed").started().needing(4).running(3).waitingFor(1);
    const told = plan(snapshot([owed], { queues: queues(queue("etl", { ceiling: cpus(4) })) }));
    expect(told.waits["owed"]?.reason).toEqual({ kind: "never", limit: { kind: "ceiling", queue: "etl" } });
  });

  test("keeps nothing when it can never be had, and counts as surplus", () => {
    const owed = application("owed").started().needing(40).waitingFor(40);
    const told = plan(snapshot([owed, application("b").since(2).needing(1)]));
    expect(told.started).toEqual(["b"]);
    expect(admittedBy(told)).toEqual({ owed: 7 });
    expect(told.waits["owed"]).toMatchObject({
      what: "minimum",
      reason: { kind: "never", limit: { kind: "capacity" } },
    });
  });
});
