import { describe, expect, test } from "vitest";
import { DEFAULT_POLICY_SETTINGS } from "../src/admission-plan.ts";
import { admittedBy, application, cpus, plan, pod, queue, queues, resources, snapshot } from "./fixtures/sentences.ts";

describe("queues", () => {
  const hungry = (id: string, inQueue: string) =>
    application(id).in(inQueue).promised().settled().running(1).waitingFor(99);

  test("share by weight", () => {
    const two = queues(queue("a", { weight: 3 }), queue("b"));
    const told = plan(
      snapshot([hungry("x", "a"), hungry("y", "b")], {
        queues: two,
        capacity: { kind: "configured", total: resources(40) },
      }),
    );
    expect(admittedBy(told)).toEqual({ x: 28, y: 8 });
  });

  test("share level by level", () => {
    const tree = queues(queue("a", { children: [queue("x", { weight: 3 }), queue("y")] }), queue("b"));
    const told = plan(
      snapshot([hungry("ax", "a.x"), hungry("ay", "a.y"), hungry("b", "b")], {
        queues: tree,
        capacity: { kind: "configured", total: resources(80) },
      }),
    );
    expect(admittedBy(told)).toEqual({ ax: 28, ay: 8, b: 38 });
  });

  test("compare by the resource of which they have the greatest part", () => {
    const computing = application("c")
      .in("a")
      .promised()
      .settled()
      .withDriver(pod(0))
      .running(1, { pod: pod(3, 1) })
      .waitingFor(99, pod(3, 1));
    const caching = application("m")
      .in("b")
      .promised()
      .settled()
      .withDriver(pod(0))
      .running(1, { pod: pod(1, 4) })
      .waitingFor(99, pod(1, 4));
    const told = plan(
      snapshot([computing, caching], {
        queues: queues(queue("a"), queue("b")),
        capacity: { kind: "configured", total: resources(9, 18) },
      }),
      { ...DEFAULT_POLICY_SETTINGS, preemption: false },
    );
    // The paper's example: 3 tasks of one kind, and 2 of the other.
    expect(admittedBy(told)).toEqual({ m: 2, c: 1 });
  });

  test("go first below their guarantee", () => {
    const two = queues(queue("a", { weight: 9 }), queue("b", { guarantee: cpus(6) }));
    const told = plan(snapshot([hungry("x", "a"), hungry("y", "b")], { queues: two }));
    expect(admittedBy(told)).toEqual({ x: 2, y: 4 });
  });

  test("guarantee in sum what those below them do", () => {
    const tree = queues(queue("a"), queue("b", { weight: 0.1, children: [queue("x", { guarantee: cpus(6) })] }));
    const told = plan(snapshot([hungry("x", "a"), hungry("y", "b.x")], { queues: tree }));
    expect(admittedBy(told)).toEqual({ x: 2, y: 4 });
  });

  test("never get more than their ceiling, nor than one above it, though there is room", () => {
    const tree = queues(queue("a", { ceiling: cpus(5), children: [queue("x"), queue("y", { ceiling: cpus(3) })] }));
    const told = plan(snapshot([hungry("ax", "a.x"), hungry("ay", "a.y")], { queues: tree }));
    expect(admittedBy(told)).toEqual({ ax: 1 });
    expect(told.waits["ay"]?.reason).toMatchObject({ kind: "ceiling", queue: "a", left: { cpu: 0 } });
  });

  test("borrow what others do not want", () => {
    const told = plan(snapshot([hungry("x", "a")], { queues: queues(queue("a"), queue("b", { guarantee: cpus(6) })) }));
    expect(admittedBy(told)).toEqual({ x: 8 });
  });
});

describe("quotas", () => {
  const quota = (left: number, used = 0) => ({
    namespace: "spark",
    name: "compute",
    hard: { "requests.cpu": (left + used) * 1000, pods: 100 },
    used: { "requests.cpu": used * 1000, pods: used },
  });

  test("are kept, and told", () => {
    const hungry = application("a").promised().settled().running(1).waitingFor(9);
    const told = plan(snapshot([hungry], { quotas: [quota(3, 2)] }));
    expect(admittedBy(told)).toEqual({ a: 3 });
    expect(told.waits["a"]?.reason).toEqual({ kind: "quota", quota: "compute", left: { "requests.cpu": 0, pods: 95 } });
  });

  test("of other namespaces do not matter", () => {
    const hungry = application("a").inNamespace("other").promised().settled().running(1).waitingFor(9);
    expect(admittedBy(plan(snapshot([hungry], { quotas: [quota(0)] })))).toEqual({ a: 8 });
  });

  test("count a driver behind its gate already, and its executors not", () => {
    const told = plan(snapshot([application("a").needing(3)], { quotas: [quota(3, 1)] }));
    expect(told.started).toEqual(["a"]);
    expect(plan(snapshot([application("a").needing(3)], { quotas: [quota(2, 1)] })).started).toEqual([]);
  });

  test("count what is decided on, and not seen yet", () => {
    const hungry = application("a").promised().settled().running(1).running(2, { state: "admitted" }).waitingFor(9);
    expect(admittedBy(plan(snapshot([hungry], { quotas: [quota(3, 2)] })))).toEqual({ a: 1 });
  });

  test("that are used by others for ever are told apart from those that are too small", () => {
    const waits = (hard: number, used: number) =>
      plan(snapshot([application("a").needing(4), application("b").since(1)], { quotas: [quota(hard - used, used)] }));
    expect(waits(4, 2).waits["a"]?.reason).toEqual({ kind: "never", limit: { kind: "quota", quota: "compute" } });
    expect(waits(6, 4).waits["a"]?.reason).toEqual({ kind: "outside", limit: { kind: "quota", quota: "compute" } });
    expect(waits(6, 4).started).toEqual(["b"]);
  });
});
