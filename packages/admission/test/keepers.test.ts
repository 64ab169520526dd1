import { expect, test } from "vitest";
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

const hungry = application("a").promised().settled().withDriver(pod(0)).waitingFor(99);
const total = { capacity: { kind: "configured", total: resources(10) } } as const;

test("pods that stay for shuffle files take room, and no executors are admitted into it", () => {
  expect(admittedBy(plan(snapshot([hungry], total)))).toEqual({ a: 10 });
  expect(admittedBy(plan(snapshot([hungry.keeping(4, pod(1))], total)))).toEqual({ a: 6 });
});

test("they count for the ceiling of their queue", () => {
  const limited = { ...total, queues: queues(queue("q", { ceiling: cpus(5) })) };
  expect(admittedBy(plan(snapshot([hungry.in("q").keeping(2, pod(1))], limited)))).toEqual({ a: 3 });
});

test("they take the room of their own node", () => {
  const two = nodes(node("one", resources(4)), node("two", resources(2)));
  const large = application("a").promised().settled().withDriver(pod(0)).waitingFor(1, pod(3));
  expect(admittedBy(plan(snapshot([large.keeping(1, pod(1), "one")], two)))).toEqual({ a: 1 });
  expect(admittedBy(plan(snapshot([large.keeping(2, pod(1), "one")], two)))).toEqual({});
});

test("they are no executors: the minimum is still missing, and nobody asks them to leave", () => {
  const waiting = application("b").needing(2).since(1);
  const kept = application("a").promised().settled().withDriver(pod(0)).keeping(9, pod(1));
  const told = plan(snapshot([kept, waiting], total));
  expect(told.started).toEqual([]);
  expect(told.asked).toEqual([]);
});
