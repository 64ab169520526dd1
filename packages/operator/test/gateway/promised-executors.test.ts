import { KindlingError } from "@kindling/core-spec";
import { ManualClock } from "@kindling/outside";
import { jsonLog } from "@kindling/service";
import type { GatewayOverview } from "@kindling/gateway-client";
import { expect, onTestFinished, test } from "vitest";
import { followPromisedExecutors } from "../../src/gateway/promised-executors.ts";
import { overviewWith } from "./overview-with.ts";

const PI = { namespace: "spark-jobs", name: "pi-driver" };

/** A gateway with answers from the test, and a follower of it. */
function followed() {
  const clock = new ManualClock();
  const state = { isNeeded: true, told: overviewWith({}) as GatewayOverview | undefined, asked: 0 };
  const changed: string[] = [];
  const lines: string[] = [];
  const executors = followPromisedExecutors({
    clock,
    log: jsonLog({ write: (line) => void lines.push(line) }, clock, "debug"),
    isNeeded: () => Promise.resolve(state.isNeeded),
    ask() {
      state.asked += 1;
      if (state.told !== undefined) return Promise.resolve(state.told);
      return Promise.reject(new KindlingError("CLUSTER_UNREACHABLE", "nobody is there", { hint: "look there" }));
    },
    onChange: ({ driverPod }) => changed.push(driverPod),
  });
  onTestFinished(() => executors.stop());
  const pass = async (seconds: number): Promise<readonly string[]> => {
    changed.length = 0;
    await clock.advance(seconds * 1_000);
    return [...changed];
  };
  return { executors, state, pass, lines };
}

test("a gateway is asked every two seconds, and each change is told", async () => {
  const { executors, state, pass } = followed();
  state.told = overviewWith({ pi: ["pi-exec-1", "pi-exec-2"], other: [] });
  expect(await pass(0)).toEqual(["pi-driver"]);
  expect(executors.of(PI)).toEqual(["pi-exec-1", "pi-exec-2"]);
  expect(executors.of({ namespace: "spark-jobs", name: "other-driver" })).toEqual([]);
  expect(await pass(20)).toEqual([]);
  expect(state.asked).toBe(11);
});

test("an executor that is told of no more counts once more: its pod may be on its way", async () => {
  const { executors, state, pass } = followed();
  state.told = overviewWith({ pi: ["pi-exec-1", "pi-exec-2"] });
  await pass(0);
  state.told = overviewWith({ pi: ["pi-exec-2"] });
  await pass(2);
  expect(executors.of(PI).toSorted()).toEqual(["pi-exec-1", "pi-exec-2"]);
  expect(await pass(2)).toEqual(["pi-driver"]);
  expect(executors.of(PI)).toEqual(["pi-exec-2"]);
  state.told = overviewWith({});
  await pass(2);
  expect(await pass(2)).toEqual(["pi-driver"]);
  expect(executors.of(PI)).toEqual([]);
});

test("nobody is asked while nobody needs it, and nothing is known then", async () => {
  const { executors, state, pass } = followed();
  state.told = overviewWith({ pi: ["pi-exec-1"] });
  await pass(0);
  state.isNeeded = false;
  expect(await pass(60)).toEqual(["pi-driver"]);
  expect(executors.of(PI)).toEqual([]);
  expect(state.asked).toBe(1);
  state.isNeeded = true;
  await pass(2);
  expect(executors.of(PI)).toEqual(["pi-exec-1"]);
});

test("what is known stays for half a minute without the gateway, and each change is logged once", async () => {
  const { executors, state, pass, lines } = followed();
  state.told = overviewWith({ pi: ["pi-exec-1"] });
  await pass(0);
  const told = state.told;
  state.told = undefined;
  expect(await pass(29)).toEqual([]);
  expect(executors.of(PI)).toEqual(["pi-exec-1"]);
  expect(await pass(1)).toEqual(["pi-driver"]);
  expect(executors.of(PI)).toEqual([]);
  state.told = told;
  expect(await pass(2)).toEqual(["pi-driver"]);
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { level: "warn", error: "nobody is there", hint: "look there" },
    { level: "info", msg: "the gateway answers again" },
  ]);
});
