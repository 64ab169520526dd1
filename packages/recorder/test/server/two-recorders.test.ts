import { eventually } from "@kindling/test-kit/eventually";
import type { Pod } from "kubernetes-types/core/v1.js";
import { describe, expect, test } from "vitest";
import type { Run } from "@kindling/recorder-client";
import { PLACES, type RecorderProcess, sharedArchive, type SharedArchive } from "../support/recorder-processes.ts";
import { testFolder } from "../support/archives.ts";
import { driverPod, executorPod } from "../support/recording.ts";

const PATIENCE = { timeout: 30_000 };

const linesFrom = (first: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `line ${first + index}`);

/** A driver, and an executor that has ended and is gone. */
async function application({ cluster }: SharedArchive): Promise<{ driver: Pod; executor: Pod }> {
  const driver = await cluster.createPod(driverPod("daily").build());
  cluster.writeLog(driver, linesFrom(0, 100));
  const executor = await cluster.createPod(executorPod(1, "daily").build());
  cluster.writeLog(executor, ["the executor works"]);
  cluster.end(executor, 0);
  return { driver, executor };
}

async function untilShown(recorder: RecorderProcess, { metadata }: Pod, log: string, text: string): Promise<void> {
  await eventually(async () => {
    const shown = await recorder.ask(`/api/v1/runs/${metadata?.uid}/logs/${log}`);
    if (!shown.includes(text)) throw new Error(`${shown} ${recorder.said()}`);
  }, PATIENCE);
}

async function untilStored(recorder: RecorderProcess): Promise<Run> {
  return await eventually(async () => {
    const [run, ...more] = await recorder.runs();
    if (run === undefined || more.length > 0) throw new Error(`${more.length + 1} runs: ${recorder.said()}`);
    return run;
  }, PATIENCE);
}

/** Waits until a part of the driver's log is in the archive. */
async function untilPart({ archive }: SharedArchive, { metadata }: Pod): Promise<void> {
  await eventually(async () => {
    const paths: string[] = [];
    for await (const { path } of archive.list("v1/runs")) paths.push(path);
    expect(paths.filter((path) => path.includes(`/${metadata?.uid}/logs/driver/`))).not.toEqual([]);
  }, PATIENCE);
}

async function logOf(recorder: RecorderProcess, run: Run, log = "driver"): Promise<readonly string[]> {
  return (await recorder.ask(`/api/v1/runs/${run.uid}/logs/${log}`)).trimEnd().split("\n");
}

/** What one recorder has stored, a notice, and all that the next one has read. */
function expectContinued(lines: readonly string[]): void {
  const notice = lines.findIndex((line) => line.startsWith("[kindling: another recorder goes on here"));
  expect(notice).toBeGreaterThan(0);
  expect(lines.slice(0, notice)).toEqual(linesFrom(0, notice));
  expect(lines.slice(notice + 1)).toEqual(linesFrom(0, 200));
}

describe.each(Object.entries(PLACES))("two recorders with one archive in %s", (_, place) => {
  test("the second one goes on where the first one was ended, without a line or a pod that is missing or there twice", async () => {
    const scene = await sharedArchive(place);
    const { cluster } = scene;
    const first = await scene.start();
    await first.untilLeading();
    const second = await scene.start();
    const { driver, executor } = await application(scene);
    await untilShown(first, driver, "driver", "line 99");
    await untilShown(first, driver, "executor-1", "the executor works");
    await cluster.delete(executor, { gracePeriodSeconds: 0 });
    first.process.child.kill("SIGTERM");
    expect(await first.process.ended).toMatchObject({ code: 0 });
    cluster.writeLog(driver, linesFrom(100, 100));
    await untilShown(second, driver, "driver", "line 199");
    cluster.end(driver, 0);
    const run = await untilStored(second);
    expect(await logOf(second, run)).toEqual(linesFrom(0, 200));
    expect(await logOf(second, run, "executor-1")).toEqual(["the executor works"]);
    expect(run).toMatchObject({ state: "succeeded", executors: 1 });
    const lives = (await second.ask(`/api/v1/runs/${run.uid}/executors`)).trimEnd().split("\n");
    expect(lives).toHaveLength(2);
  });

  test("after one that was killed, nothing is missing, and a notice stands where lines may be there twice", async () => {
    const scene = await sharedArchive(place);
    const { cluster } = scene;
    const first = await scene.start();
    await first.untilLeading();
    const second = await scene.start();
    const { driver, executor } = await application(scene);
    await untilShown(first, driver, "driver", "line 99");
    await untilShown(first, driver, "executor-1", "the executor works");
    await cluster.delete(executor, { gracePeriodSeconds: 0 });
    const copy = `v1/handover/${driver.metadata?.uid}/lives.jsonl`;
    await eventually(async () => expect(String(await scene.archive.read(copy))).toContain("executor"), PATIENCE);
    await untilPart(scene, driver);
    first.process.child.kill("SIGKILL");
    await second.untilLeading();
    cluster.writeLog(driver, linesFrom(100, 100));
    cluster.end(driver, 0);
    const run = await untilStored(second);
    expectContinued(await logOf(second, run));
    expect(await logOf(second, run, "executor-1")).toEqual(["the executor works"]);
    expect(run).toMatchObject({ state: "succeeded", executors: 1 });
  });

  test("one that was paused, and still thinks that it records, changes nothing of what the other one has stored", async () => {
    const scene = await sharedArchive(place);
    const { cluster } = scene;
    const first = await scene.start();
    await first.untilLeading();
    const second = await scene.start();
    const { driver } = await application(scene);
    await untilShown(first, driver, "driver", "line 99");
    await untilPart(scene, driver);
    first.process.child.kill("SIGSTOP");
    await second.untilLeading();
    cluster.writeLog(driver, linesFrom(100, 100));
    cluster.end(driver, 3);
    const run = await untilStored(second);
    const shown = await logOf(second, run);
    first.process.child.kill("SIGCONT");
    await eventually(() => expect(first.said()).toContain("the lease is lost"), PATIENCE);
    expect(await untilStored(first)).toEqual(run);
    expect(await logOf(first, run)).toEqual(shown);
    expect(await untilStored(second)).toEqual(run);
    expectContinued(shown);
    expect(run).toMatchObject({ state: "failed", executors: 1 });
  });
});

test("after one that was killed, the next one in its folder need not wait for the Lease", async () => {
  const scene = await sharedArchive(async () => ["--store-path", await testFolder()]);
  const { cluster } = scene;
  const first = await scene.start(undefined, "10min");
  await first.untilLeading();
  const driver = await cluster.createPod(driverPod("daily").build());
  const executor = await cluster.createPod(executorPod(1, "daily").build());
  cluster.writeLog(executor, ["the executor works"]);
  await untilShown(first, driver, "executor-1", "the executor works");
  first.process.child.kill("SIGKILL");
  await first.process.ended;
  // It ends, and its pod is gone, while nobody looks.
  await cluster.delete(executor, { gracePeriodSeconds: 0 });

  const second = await scene.start(first.spool, "10min");
  await second.untilLeading();
  cluster.end(driver, 0);
  const run = await untilStored(second);
  expect(await logOf(second, run, "executor-1")).toEqual(["the executor works"]);
  const lives = (await second.ask(`/api/v1/runs/${run.uid}/executors`)).trimEnd().split("\n");
  const life = JSON.parse(lives.find((line) => line.includes('"executor"')) ?? "{}") as object;
  expect(life).toMatchObject({
    executor: "1",
    started: expect.any(Number) as number,
    logGap: expect.stringContaining("may be missing") as string,
  });
});
