import { describe, expect, test } from "vitest";
import { DEFAULT_POLICY_SETTINGS } from "../src/admission-plan.ts";
import type { QueueFloor } from "../src/queue.ts";
import { NO_RESOURCES } from "../src/resources.ts";
import {
  admittedBy,
  application,
  type AnApplication,
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

describe("preemption", () => {
  const two = { queues: queues(queue("a"), queue("b")) };
  const greedy = application("greedy").in("a").promised().settled().running(9);

  test("asks the surplus of a queue above its share, who began last first, only as many as are needed", () => {
    const told = plan(snapshot([greedy, application("new").in("b").needing(2)], two));
    expect(told.started).toEqual([]);
    expect(told.asked).toEqual(["greedy/9 for new: share", "greedy/8 for new: share", "greedy/7 for new: share"]);
    expect(told.waits["new"]?.roomToCome).toBe(true);
  });

  test("does nothing where it is not wanted", () => {
    const told = plan(snapshot([greedy, application("new").in("b")], two), {
      ...DEFAULT_POLICY_SETTINGS,
      preemption: false,
    });
    expect(told.asked).toEqual([]);
  });

  test("asks no more at once than is set", () => {
    const poor = application("poor").in("b").promised().settled().withDriver(pod(0)).running(1, { pod: NO_POD });
    expect(plan(snapshot([greedy, poor.waitingFor(9)], two)).asked).toHaveLength(5);
    const careful = { ...DEFAULT_POLICY_SETTINGS, mostDecommissioned: 2 };
    expect(plan(snapshot([greedy, poor.waitingFor(9)], two), careful).asked).toHaveLength(2);
  });

  test("takes nothing for more than the fair share", () => {
    const told = plan(snapshot([greedy, application("new").in("b").needing(5)], two));
    expect(told.asked).toEqual([]);
  });

  test("leaves a minimum that has not been there, and from then on the floor of its queue", () => {
    const hungry = application("new").in("b").promised().settled().running(1, { pod: NO_POD }).waitingFor(9);
    const askedOf = (greedy: AnApplication, floor?: QueueFloor): number =>
      plan(snapshot([greedy, hungry], { queues: queues(queue("a", { floor, weight: 0.01 }), queue("b")) })).asked
        .length;
    const young = application("greedy").in("a").promised().needing(8).running(7).waitingFor(1);
    expect(askedOf(young)).toBe(0);
    const grown = application("greedy").in("a").promised().settled().needing(8).running(8);
    expect([undefined, 1, 3, "minimum" as const].map((floor) => askedOf(grown, floor))).toEqual([7, 7, 5, 0]);
  });

  test("is owed no more than the floor of its queue, once its minimum has been there", () => {
    const robbed = application("robbed").in("a").promised().settled().needing(5).running(1).waitingFor(4);
    const other = application("other").in("b").promised().settled().running(1).waitingFor(9);
    const told = plan(snapshot([robbed, other], two));
    expect(admittedBy(told)).toEqual({ robbed: 3, other: 3 });
    expect(told.waits["robbed"]).toMatchObject({ what: "surplus", executors: 1 });
  });

  test("never takes an executor that cannot leave without loss for a share", () => {
    const fixed = application("greedy").in("a").promised().settled().running(9, { leave: "deletion" });
    expect(plan(snapshot([fixed, application("new").in("b")], two)).asked).toEqual([]);
  });

  test("waits for those who are leaving already", () => {
    const leaving = application("greedy").in("a").promised().settled().running(6).running(3, { state: "leaving" });
    const told = plan(snapshot([leaving, application("new").in("b").needing(2)], two));
    expect(told.asked).toEqual([]);
    expect(told.waits["new"]).toMatchObject({ roomToCome: true });
    const fewer = application("greedy").in("a").promised().settled().running(7).running(2, { state: "leaving" });
    expect(plan(snapshot([fewer, application("new").in("b").needing(2)], two)).asked).toHaveLength(1);
  });

  test("brings a queue to its guarantee, whatever the weights", () => {
    const guaranteed = { queues: queues(queue("a", { weight: 100 }), queue("b", { guarantee: cpus(4) })) };
    const hungry = application("new").in("b").needing(3).since(1);
    expect(plan(snapshot([greedy, hungry], guaranteed)).asked).toEqual([
      "greedy/9 for new: guarantee",
      "greedy/8 for new: guarantee",
      "greedy/7 for new: guarantee",
      "greedy/6 for new: guarantee",
    ]);
  });

  test("does not take another queue below its guarantee", () => {
    const guaranteed = { queues: queues(queue("a", { guarantee: cpus(9) }), queue("b")) };
    const told = plan(
      snapshot([greedy, application("new").in("b").promised().needing(1).waitingFor(1)], {
        ...guaranteed,
        capacity: { kind: "configured", total: resources(11) },
      }),
    );
    expect(told.asked).toEqual(["greedy/9 for new: share"]);
    const more = plan(snapshot([greedy, application("new").in("b").needing(1)], guaranteed));
    expect(more.asked).toEqual([]);
  });

  test("serves a higher priority of the same queue, from the lowest priority", () => {
    const low = application("low").promised().settled().running(4);
    const middle = application("middle").ofPriority(1).promised().settled().running(4);
    const high = application("high").ofPriority(2).needing(1);
    expect(plan(snapshot([low, middle, high])).asked).toEqual(["low/4 for high: priority", "low/3 for high: priority"]);
  });

  test("serves a higher priority under the ceiling of its queue", () => {
    const low = application("low").promised().settled().running(3);
    const high = application("high").ofPriority(2).needing(1);
    const told = plan(snapshot([low, high], { queues: queues(queue("etl", { ceiling: cpus(4) })) }));
    expect(told.asked).toEqual(["low/3 for high: priority", "low/2 for high: priority"]);
  });

  test("lets a start of the same queue and priority have its fair part, but no surplus", () => {
    const rich = application("rich").promised().settled().running(9);
    expect(plan(snapshot([rich, application("new").needing(1)])).asked).toHaveLength(2);
    const hungry = application("new").promised().settled().running(1).waitingFor(5);
    expect(plan(snapshot([application("rich").promised().settled().running(7), hungry])).asked).toEqual([]);
  });

  test("asks those on one node, where the pod then fits", () => {
    const cluster = nodes(node("n1", resources(4)), node("n2", resources(4)), node("n3", resources(3)));
    const spread = application("greedy")
      .in("a")
      .promised()
      .settled()
      .withDriver(pod(1), "n3")
      .running(1, { node: "n3" })
      .running(1, { node: "n1" })
      .running(1, { node: "n2" })
      .running(1, { node: "n2" })
      .running(3, { node: "n1" })
      .running(2, { node: "n2" });
    const poor = application("poor")
      .in("b")
      .promised()
      .settled()
      .withDriver(pod(1), "n3")
      .running(1, { node: "n3", pod: NO_POD })
      .waitingFor(1, pod(2));
    const told = plan(snapshot([spread, poor], { ...two, ...cluster }));
    expect(told.asked).toEqual(["greedy/9 for poor: share", "greedy/8 for poor: share"]);
  });

  test("asks nobody for one behind a start that room is kept for", () => {
    const first = application("first").in("b").needing(8);
    const second = application("second").in("b").since(1).needing(1);
    expect(plan(snapshot([greedy, second], two)).asked).toHaveLength(2);
    expect(plan(snapshot([greedy, first, second], two)).asked).toEqual([]);
  });

  test("asks nobody for one behind such a start, wherever its room is kept", () => {
    const cluster = nodes(node("n1", resources(4)), node("n2", resources(4)), node("n3", resources(4)));
    const filling = application("greedy")
      .in("a")
      .promised()
      .settled()
      .withDriver(pod(1), "n3")
      .running(1, { node: "n3" })
      .running(4, { node: "n1" })
      .running(4, { node: "n2" })
      .running(2, { node: "n3" });
    const first = application("first").in("b").withDriver(pod(4)).needing(1, pod(4));
    const second = application("second").in("b").since(1);
    expect(plan(snapshot([filling, second], { ...two, ...cluster })).asked).toHaveLength(2);
    expect(plan(snapshot([filling, first, second], { ...two, ...cluster })).asked).toEqual([]);
  });

  test("spares those who turn out not to be needed", () => {
    const mixed = application("greedy")
      .in("a")
      .promised()
      .settled()
      .running(3)
      .running(1, { pod: pod(2) })
      .running(1, { pod: pod(0.5) });
    const poor = application("poor").in("b").promised().settled().running(1).waitingFor(1, pod(2));
    const told = plan(snapshot([mixed, poor], { ...two, capacity: { kind: "configured", total: resources(8.5) } }));
    expect(told.asked).toEqual(["greedy/4 for poor: share"]);
  });

  test("keeps what comes for the one who was waited for", () => {
    const leaving = application("greedy")
      .in("a")
      .promised()
      .settled()
      .running(6)
      .running(1, { state: "leaving" })
      .waitingFor(4);
    const poor = application("poor")
      .in("b")
      .promised()
      .settled()
      .withDriver(pod(0.5))
      .running(1, { pod: pod(0.5) });
    // There is room for a small one now, and for the large one when the other is gone.
    expect(plan(snapshot([leaving, poor.waitingFor(1, pod(2))], two)).admitted).toEqual([]);
    expect(plan(snapshot([leaving, poor], two)).admitted).toEqual(["greedy/8"]);
  });

  test("asks nobody in vain", () => {
    const cluster = nodes(node("n1", resources(2)), node("n2", resources(2)));
    const fixed = application("fixed").in("a").promised().settled().withDriver(pod(1), "n1").running(1, { node: "n1" });
    const greedy = application("greedy")
      .in("a")
      .promised()
      .settled()
      .withDriver(pod(1), "n2")
      .needing(0)
      .running(1, { node: "n2" });
    const told = plan(snapshot([fixed, greedy, application("new").in("b").needing(1, pod(2))], { ...two, ...cluster }));
    expect(told.asked).toEqual([]);
  });
});

const NO_POD = { requests: NO_RESOURCES, limits: NO_RESOURCES, placement: pod(0).placement };
