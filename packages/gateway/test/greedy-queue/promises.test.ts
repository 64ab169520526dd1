import type { KubeObject } from "@kindling/kube-objects";
import { ManualClock } from "@kindling/outside";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { aPod } from "@kindling/test-kit/a-pod";
import { expect, test } from "vitest";
import { Promises } from "../../src/admission/demand/promises.ts";
import { FakeApplication } from "../support/fake-application.ts";
import { knownPod } from "../support/known-pod.ts";
import { startTestGateway } from "../support/test-gateway.ts";

test("a driver that runs, has announced executors and never asks for them does not keep their room", async () => {
  const cluster = await TestCluster.start();
  const settings = ["--capacity", "cpu=18", "--queues-promise", "1s"];
  const gateway = await startTestGateway(cluster, { settings });
  const liar = await FakeApplication.submit(cluster, gateway, "liar", { executors: 16 });
  await liar.started();
  const honest = await FakeApplication.submit(cluster, gateway, "honest", { executors: 4 });
  await honest.runToItsEnd();
  expect(await liar.running()).toBe(0);
});

test("what a slow driver asks for after that is still its minimum", async () => {
  const cluster = await TestCluster.start();
  const settings = ["--capacity", "cpu=4", "--queues-promise", "1s"];
  const gateway = await startTestGateway(cluster, { settings });
  const slow = await FakeApplication.submit(cluster, gateway, "slow", { executors: 2 });
  await slow.started();
  const other = await FakeApplication.submit(cluster, gateway, "other", { executors: 1 });
  await other.started();
  await slow.ask(2);
  await slow.hasRunning(2);
  expect(await other.running()).toBe(0);
});

const SECOND = 1000;

function driverPod(uid: string, clock: ManualClock, account = "spark"): KubeObject {
  const startTime = new Date(clock.now() - 600 * SECOND).toISOString();
  const driver = aPod(uid).in("jobs").uid(uid).driver().spec({ serviceAccountName: account });
  return knownPod(driver.running(new Date(clock.now()).toISOString()).status({ startTime }));
}

/** The first of the tried numbers of seconds after which room is no longer kept for a driver that has just begun to run. */
function keptFor(promises: Promises, clock: ManualClock, uid: string, talks = false): number {
  const promised = { driver: driverPod(uid, clock), talkedAt: talks ? clock.monotonic() : undefined, minimum: 16 };
  for (let seconds = 0; seconds <= 120; seconds++) {
    if (promises.hasLapsed({ ...promised, asked: 0 })) return seconds;
    clock.advanceAtOnce(SECOND);
  }
  return Number.POSITIVE_INFINITY;
}

function promisesOf(clock: ManualClock): Promises {
  return new Promises({ clock, seconds: 60, onDue: () => undefined });
}

test("the time counts from the start of the driver's container; one that has talked has a quarter of it", () => {
  const clock = new ManualClock();
  expect(keptFor(promisesOf(clock), clock, "silent")).toBe(60);
  expect(keptFor(promisesOf(clock), clock, "talker", true)).toBe(15);
});

test("an account whose drivers do it again has less each time, and its drivers go behind others; after an hour it is forgotten", () => {
  const clock = new ManualClock();
  const promises = promisesOf(clock);
  const behind = (account?: string): number => promises.behindMs(driverPod("next", clock, account)) / SECOND;
  expect(behind()).toBe(0);
  expect(["a", "b", "c", "d", "e", "f"].map((uid) => keptFor(promises, clock, uid))).toEqual([60, 30, 15, 8, 4, 4]);
  expect(behind()).toBe(60 * 32);
  expect(behind("other")).toBe(0);
  clock.advanceAtOnce(3601 * SECOND);
  expect(behind()).toBe(0);
  expect(keptFor(promises, clock, "g")).toBe(60);
});

test("a driver that asks for all in the end is forgiven, and a batch now and then keeps the rest", () => {
  const clock = new ManualClock();
  const promises = promisesOf(clock);
  keptFor(promises, clock, "slow");
  const slow = { driver: driverPod("slow", clock), talkedAt: clock.monotonic(), minimum: 16 };
  for (let asked = 5; asked <= 15; asked += 5) {
    clock.advanceAtOnce(10 * SECOND);
    expect(promises.hasLapsed({ ...slow, asked })).toBe(false);
  }
  expect(promises.behindMs(slow.driver)).toBeGreaterThan(0);
  expect(promises.hasLapsed({ ...slow, asked: 16 })).toBe(false);
  expect(promises.behindMs(slow.driver)).toBe(0);
});

test("a gateway that starts anew does not hold against an account what it has not seen", () => {
  const clock = new ManualClock();
  const driver = driverPod("older", clock);
  clock.advanceAtOnce(600 * SECOND);
  const promises = promisesOf(clock);
  const older = { driver, talkedAt: clock.monotonic(), asked: 0, minimum: 16 };
  expect(promises.hasLapsed(older)).toBe(false);
  clock.advanceAtOnce(15 * SECOND);
  expect(promises.hasLapsed(older)).toBe(true);
  expect(promises.behindMs(driver)).toBe(0);
});

test("executors that are given back and asked for again are no progress", () => {
  const clock = new ManualClock();
  const promises = promisesOf(clock);
  const greedy = { driver: driverPod("greedy", clock), talkedAt: clock.monotonic(), minimum: 16 };
  const answers = Array.from({ length: 20 }, (_, second) => {
    clock.advanceAtOnce(SECOND);
    return promises.hasLapsed({ ...greedy, asked: second % 2 });
  });
  expect(answers.at(-1)).toBe(true);
});

test("a driver that never runs keeps room for ten times as long, and no longer", () => {
  const clock = new ManualClock();
  const promises = promisesOf(clock);
  const driver = { ...driverPod("stuck", clock), status: { phase: "Pending" } };
  const promised = { driver, talkedAt: undefined, asked: 0, minimum: 16 };
  expect(promises.hasLapsed(promised)).toBe(false);
  clock.advanceAtOnce(599 * SECOND);
  expect(promises.hasLapsed(promised)).toBe(false);
  clock.advanceAtOnce(SECOND);
  expect(promises.hasLapsed(promised)).toBe(true);
});

test("of any number of accounts only so many are remembered", () => {
  const clock = new ManualClock();
  const promises = promisesOf(clock);
  const accounts = Array.from({ length: 1_200 }, (_, index) => `account-${index}`);
  const drivers = accounts.map((account) => driverPod(account, clock, account));
  const look = (): void => {
    for (const driver of drivers) promises.hasLapsed({ driver, talkedAt: undefined, asked: 0, minimum: 1 });
  };
  look();
  clock.advanceAtOnce(61 * SECOND);
  look();
  expect(drivers.filter((driver) => promises.behindMs(driver) > 0)).toHaveLength(1_000);
});
