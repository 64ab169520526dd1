import { at } from "@kindling/test-kit/case-context";
import { describe, expect, test } from "vitest";
import { ManualClock } from "@kindling/outside";
import { hollowPod, statusOf, testCluster, untilStatus } from "../../support/test-cluster.ts";

describe("hollow pods", () => {
  test("go through their phases on the clock", async () => {
    const clock = new ManualClock();
    const scene = await testCluster({ clock });
    const { context } = scene;
    const times = { "pull-for": "10s", "start-after": "5s", "ready-after": "3s", "run-for": "1m" };
    await context.create(context.path("pods"), hollowPod("one", times, { restartPolicy: "Never" }));
    const phaseAfter = async (seconds: number): Promise<unknown[]> => {
      await clock.advance(seconds * 1000);
      const status = await statusOf(scene, "one");
      return [status["phase"], at(status, "containerStatuses.0.ready")];
    };
    expect(await phaseAfter(0)).toEqual(["Pending", false]);
    expect(await phaseAfter(14)).toEqual(["Pending", false]);
    expect(await phaseAfter(1)).toEqual(["Running", false]);
    expect(await phaseAfter(3)).toEqual(["Running", true]);
    expect(await phaseAfter(56)).toEqual(["Running", true]);
    expect(await phaseAfter(1)).toEqual(["Succeeded", false]);
  });

  test("tell the times of their clock", async () => {
    const clock = new ManualClock(Date.UTC(2030, 4, 6, 7, 8, 9));
    const scene = await testCluster({ clock });
    await scene.context.create(
      scene.context.path("pods"),
      hollowPod("one", { "run-for": "90s" }, { restartPolicy: "Never" }),
    );
    await clock.advance(0);
    await clock.advance(90_000);
    const status = await statusOf(scene, "one");
    expect(at(status, "containerStatuses.0.state.terminated")).toMatchObject({
      startedAt: "2030-05-06T07:08:09Z",
      finishedAt: "2030-05-06T07:09:39Z",
    });
  });

  test("end as they are told, each container for itself", async () => {
    const scene = await testCluster();
    const containers = ["a", "b"].map((name) => ({ name, image: "x" }));
    const script = { "run-for": "0ms", "b.exit-code": "7", "b.reason": "Odd" };
    const { context } = scene;
    await context.create(context.path("pods"), hollowPod("one", script, { containers, restartPolicy: "Never" }));
    const status = await untilStatus(scene, "one", "phase", "Failed");
    expect(at(status, "containerStatuses.0.state.terminated")).toMatchObject({ exitCode: 0, reason: "Completed" });
    expect(at(status, "containerStatuses.1.state.terminated")).toMatchObject({ exitCode: 7, reason: "Odd" });
  });

  test("wait longer and longer before they are started again", async () => {
    const clock = new ManualClock();
    const scene = await testCluster({ clock });
    const { context } = scene;
    await context.create(context.path("pods"), hollowPod("one", { "run-for": "0ms", "exit-code": "1" }));
    const restartsAfter = async (seconds: number): Promise<unknown> => {
      await clock.advance(seconds * 1000);
      return at(await statusOf(scene, "one"), "containerStatuses.0.restartCount");
    };
    expect(await restartsAfter(0)).toBe(1);
    expect(await restartsAfter(10)).toBe(2);
    expect(await restartsAfter(19)).toBe(2);
    expect(await restartsAfter(1)).toBe(3);
    expect(await restartsAfter(40)).toBe(4);
    // No wait is longer than five minutes.
    await clock.advance(3_600_000);
    const before = Number(await restartsAfter(0));
    expect(Number(await restartsAfter(300)) - before).toBe(1);
  });

  test("are scripted by a function, too; annotations count more", async () => {
    const scene = await testCluster({
      script: (pod, container, attempt) => ({
        runMilliseconds: 0,
        exitCode: attempt,
        log: [`${pod.metadata.name} ${container.name} ${attempt}`],
      }),
    });
    const { client, context } = scene;
    await context.create(context.path("pods"), hollowPod("one", {}, { restartPolicy: "Never" }));
    await context.create(context.path("pods"), hollowPod("two", { log: "mine" }, { restartPolicy: "Never" }));
    for (const name of ["one", "two"]) await untilStatus(scene, name, "phase", "Succeeded");
    expect((await client.get(`${context.path("pods", "one")}/log`)).text).toBe("one main 0\n");
    expect((await client.get(`${context.path("pods", "two")}/log`)).text).toBe("mine\n");
  });

  test("take their time to end, but no more than they are given", async () => {
    const clock = new ManualClock();
    const scene = await testCluster({ clock });
    const { client, context } = scene;
    for (const [name, stop] of [
      ["quick", "5s"],
      ["slow", "1m"],
    ] as const)
      await context.create(context.path("pods"), hollowPod(name, { "stop-for": stop }));
    await clock.advance(0);
    for (const name of ["quick", "slow"]) await client.delete(context.path("pods", name), { gracePeriodSeconds: 20 });
    const left = async (): Promise<string[]> => {
      const answers = await Promise.all(
        ["quick", "slow"].map(async (name) => [name, (await client.get(context.path("pods", name))).status] as const),
      );
      return answers.filter(([, status]) => status === 200).map(([name]) => name);
    };
    await clock.advance(4000);
    expect(await left()).toEqual(["quick", "slow"]);
    await clock.advance(1000);
    expect(await left()).toEqual(["slow"]);
    await clock.advance(15_000);
    expect(await left()).toEqual([]);
  });

  test("have addresses of their own", async () => {
    const scene = await testCluster();
    const { context } = scene;
    const names = Array.from({ length: 20 }, (_, index) => `pod-${index}`);
    for (const name of names) await context.create(context.path("pods"), hollowPod(name));
    const statuses = await Promise.all(names.map(async (name) => await untilStatus(scene, name, "phase", "Running")));
    expect(new Set(statuses.map((status) => status["podIP"])).size).toBe(names.length);
  });

  test("are followed by those who read their logs", async () => {
    const clock = new ManualClock();
    const scene = await testCluster({ clock });
    const { client, context } = scene;
    const script = { log: "first\nsecond", "run-for": "10s" };
    await context.create(context.path("pods"), hollowPod("one", script, { restartPolicy: "Never" }));
    await clock.advance(0);
    const response = await client.open("GET", `${context.path("pods", "one")}/log?follow=true`);
    let text = "";
    let ended = false;
    const reading = (async () => {
      for await (const chunk of response) text += String(chunk);
      ended = true;
    })();
    await expect.poll(() => text).toBe("first\nsecond\n");
    expect(ended).toBe(false);
    await clock.advance(10_000);
    await reading;
    expect(text).toBe("first\nsecond\n");
  });
});
