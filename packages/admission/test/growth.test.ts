import { describe, expect, test } from "vitest";
import { DEFAULT_POLICY_SETTINGS, type PolicySnapshot } from "../src/admission-plan.ts";
import { type GrowthRefusal, refusedGrowth } from "../src/growth.ts";
import type { PodShape } from "../src/pod-shape.ts";
import {
  type AnApplication,
  application,
  cpus,
  node,
  nodes,
  pod,
  queue,
  queues,
  resources,
  snapshot,
} from "./fixtures/sentences.ts";

/** An application in the queue `etl`, with a driver and two executors of one CPU on the node `n`. */
const running = (id: string): AnApplication =>
  application(id).withDriver(pod(1), "n").started().settled().running(2, { node: "n" });

const growing = (given: PolicySnapshot, to: PodShape): GrowthRefusal | undefined =>
  refusedGrowth(given, DEFAULT_POLICY_SETTINGS, { application: "a", executor: "1", pod: to });

const roomFor = (count: number) => nodes(node("n", resources(count)), node("other", resources(100)));

describe("an executor grows", () => {
  test("into what is left on its node, and not into what is left on another", () => {
    const given = snapshot([running("a")], roomFor(6));
    expect(growing(given, pod(4))).toBeUndefined();
    expect(growing(given, pod(5))).toEqual({ kind: "room" });
  });

  test("up to the ceiling of its queue", () => {
    const given = snapshot([running("a")], { ...roomFor(50), queues: queues(queue("etl", { ceiling: cpus(5) })) });
    expect(growing(given, pod(3, 20))).toBeUndefined();
    expect(growing(given, pod(4))).toEqual({ kind: "ceiling", queue: "etl" });
  });

  test("up to a quota of its namespace, and is no further pod in it", () => {
    const hard = { "requests.cpu": 5000, pods: 3 };
    const quota = { namespace: "spark", name: "small", hard, used: { "requests.cpu": 3000, pods: 3 } };
    const given = snapshot([running("a")], { ...roomFor(50), quotas: [quota] });
    expect(growing(given, pod(3))).toBeUndefined();
    expect(growing(given, pod(4))).toEqual({ kind: "quota", quota: "small" });
  });

  test("not into what others wait for", () => {
    const waits = application("b").started().settled().waitingFor(3);
    const one = nodes(node("n", resources(6)));
    expect(growing(snapshot([running("a")], one), pod(2))).toBeUndefined();
    expect(growing(snapshot([running("a"), waits], one), pod(2))).toEqual({ kind: "room" });
  });

  test("only if it is on a node, and stays", () => {
    const nowhere = application("a").started().settled().running(1);
    expect(growing(snapshot([nowhere], roomFor(50)), pod(2))).toEqual({ kind: "unknown" });
    const leaving = application("a").started().settled().running(1, { node: "n", state: "leaving" });
    expect(growing(snapshot([leaving], roomFor(50)), pod(2))).toEqual({ kind: "unknown" });
    expect(growing(snapshot([running("c")], roomFor(50)), pod(2))).toEqual({ kind: "unknown" });
  });
});

test("an executor may shrink where nothing is left", () => {
  const full = { ...roomFor(3), queues: queues(queue("etl", { ceiling: cpus(1) })) };
  expect(growing(snapshot([running("a")], full), pod(0.5))).toBeUndefined();
});
