import { describe, expect, test } from "vitest";
import { DEFAULT_POLICY_SETTINGS } from "../src/admission-plan.ts";
import { planAdmission } from "../src/plan-admission.ts";
import { admittedBy, application, node, nodes, plan, pod, resources, snapshot } from "./fixtures/sentences.ts";

describe("a decision names the node", () => {
  test("on which the driver or the executor is counted", () => {
    const cluster = nodes(node("n1", resources(2)), node("n2", resources(4)));
    const running = application("a").promised().settled().withDriver(pod(1), "n1").running(1, { node: "n1" });
    const { decisions } = planAdmission(
      snapshot([running.waitingFor(1), application("b")], cluster),
      DEFAULT_POLICY_SETTINGS,
    );
    expect(decisions).toEqual([
      { kind: "start", application: "b", node: "n2" },
      { kind: "admit", application: "a", executor: "2", node: "n2" },
    ]);
  });

  test("but not where the capacity is configured", () => {
    const { decisions } = planAdmission(snapshot([application("b")]), DEFAULT_POLICY_SETTINGS);
    expect(decisions).toEqual([{ kind: "start", application: "b", node: undefined }]);
  });
});

describe("surplus", () => {
  test("is admitted in part, in the order in which the driver asked", () => {
    const told = plan(snapshot([application("a").promised().settled().running(1).waitingFor(30)]));
    expect(told.admitted).toEqual(["a/2", "a/3", "a/4", "a/5", "a/6", "a/7", "a/8", "a/9"]);
    expect(told.waits["a"]).toMatchObject({ what: "surplus", executors: 22, needs: { cpu: 1000 } });
  });

  test("is fair between the applications of a queue", () => {
    const hungry = (id: string, runs: number) => application(id).promised().settled().running(runs).waitingFor(9);
    const told = plan(snapshot([hungry("a", 3), hungry("b", 1)]));
    expect(admittedBy(told)).toEqual({ a: 1, b: 3 });
  });

  test("goes to the higher priority first", () => {
    const hungry = (id: string) => application(id).promised().settled().running(1).waitingFor(9);
    expect(admittedBy(plan(snapshot([hungry("a"), hungry("b").ofPriority(1)])))).toEqual({ b: 6 });
  });

  test("of a shape that no node can hold does not stop the others", () => {
    const told = plan(
      snapshot(
        [application("a").promised().settled().running(1, { node: "n1" }).waitingFor(1, pod(5)).waitingFor(2)],
        nodes(node("n1", resources(4)), node("n2", resources(4))),
      ),
    );
    expect(told.admitted).toEqual(["a/3", "a/4"]);
    expect(told.waits["a"]).toMatchObject({ executors: 1, reason: { kind: "never", limit: { kind: "capacity" } } });
  });

  test("is told when there is enough in sum, but on no node", () => {
    const told = plan(
      snapshot(
        [
          application("a")
            .promised()
            .settled()
            .withDriver(pod(2), "n1")
            .running(1, { node: "n2", pod: pod(2) })
            .waitingFor(1, pod(3)),
        ],
        nodes(node("n1", resources(4)), node("n2", resources(4))),
      ),
    );
    expect(told.waits["a"]?.reason).toMatchObject({ kind: "fragments", left: { cpu: 4000 } });
  });

  test("that pods of others, or a closed node, keep out is told so", () => {
    const running = application("a").promised().settled().running(1, { node: "n1" }).waitingFor(1, pod(3));
    const others = node("n1", resources(4), { usedByOthers: resources(2) });
    expect(plan(snapshot([running], nodes(others))).waits["a"]?.reason).toMatchObject({ kind: "outside" });
    const closed = node("n2", resources(4), { unschedulable: true });
    expect(plan(snapshot([running], nodes(others, closed))).waits["a"]?.reason).toMatchObject({ kind: "outside" });
  });
});

describe("nodes", () => {
  const hungry = application("a").promised().settled().running(1).waitingFor(9);

  test.each([
    ["in back-off", { backoffUntil: 2000 }, 0],
    ["whose back-off is over", { backoffUntil: 1000 }, 2],
    ["that is cordoned", { unschedulable: true }, 0],
    ["with a taint", { taints: [{ key: "gpu", effect: "NoSchedule" }] }, 0],
    ["with a taint that is only a preference", { taints: [{ key: "gpu", effect: "PreferNoSchedule" }] }, 2],
  ])("one %s", (_, rest, admitted) => {
    const told = plan(snapshot([hungry], nodes(node("n0", resources(2)), node("n1", resources(2), rest))));
    expect(told.admitted).toHaveLength(admitted);
  });

  test("only those are filled that an executor may be put on", () => {
    const inZone = pod(1, 1, { nodeSelector: { zone: "a" }, tolerations: [{ key: "spot", operator: "Exists" }] });
    const told = plan(
      snapshot(
        [application("a").promised().settled().running(1, { node: "n1" }).waitingFor(9, inZone)],
        nodes(
          node("n1", resources(4), { labels: { zone: "b" } }),
          node("n2", resources(3), { labels: { zone: "a" }, taints: [{ key: "spot", effect: "NoSchedule" }] }),
        ),
      ),
    );
    expect(told.admitted).toHaveLength(3);
  });

  test("extended resources count", () => {
    const withGpu = { ...pod(1), requests: { ...pod(1).requests, "nvidia.com/gpu": 1 } };
    const told = plan(
      snapshot(
        [application("a").promised().settled().running(1, { node: "n1" }).waitingFor(9, withGpu)],
        nodes(node("n1", resources(8)), node("n2", resources(8, 8, { "nvidia.com/gpu": 2 }))),
      ),
    );
    expect(told.admitted).toHaveLength(2);
  });

  test("a pod that is on no node yet has its room", () => {
    const pending = application("a").promised().settled().running(1).running(2, { state: "admitted" }).waitingFor(9);
    const told = plan(snapshot([pending], nodes(node("n1", resources(3)), node("n2", resources(3)))));
    expect(told.admitted).toHaveLength(2);
  });
});
