import { expect, test } from "vitest";
import { folderArchive } from "../support/archives.ts";
import { driverPod, executorPod, NAMESPACE, recording } from "../support/recording.ts";

test("an application's logs, its end and its executors outlive its pods", async () => {
  const scene = await recording();
  const { cluster } = scene;
  const recorder = await scene.start();
  const driver = await cluster.createPod(driverPod("daily").build());
  cluster.writeLog(driver, ["the driver begins"]);
  const executor = await cluster.createPod(executorPod(1, "daily").build());
  cluster.writeLog(executor, ["the executor begins", "password=hidden12"]);
  cluster.end(executor, 0);
  cluster.writeLog(driver, ["the driver's last line"]);
  cluster.end(driver, 0);
  const [run] = await scene.runs(recorder, 1);
  await cluster.delete(driver, { gracePeriodSeconds: 0 });
  expect(run).toMatchObject({
    ...{ namespace: NAMESPACE, name: "daily", state: "succeeded", attempt: 1, executors: 1 },
    ...{ sparkVersion: "4.3.0", labels: { team: "blue" } },
  });
  expect(run && (await scene.log(run))).toEqual(["the driver begins", "the driver's last line"]);
  expect(run && (await scene.log(run, "executor-1"))).toEqual(["the executor begins", "password=*********(redacted)"]);
  expect(scene.complaints).toEqual([]);
});

test("why an application failed is kept", async () => {
  const scene = await recording();
  const { cluster } = scene;
  const recorder = await scene.start();
  const driver = await cluster.createPod(driverPod("broken").build());
  cluster.writeLog(driver, [
    'Exception in thread "main" java.lang.IllegalStateException: no input for today',
    "\tat Main.main(Main.java:7)",
  ]);
  cluster.end(driver, 1);
  const [run] = await scene.runs(recorder, 1);
  expect(run).toMatchObject({ state: "failed", cause: "ApplicationFailed" });
  expect(run?.why).toContain("no input for today");
});

test("an application that is deleted while it waits has a reason, too", async () => {
  const scene = await recording();
  const { cluster } = scene;
  const recorder = await scene.start();
  const driver = await cluster.createPod(
    driverPod("waiting")
      .spec({ schedulingGates: [{ name: "scheduler.kindling/queue" }] })
      .build(),
    "Pending",
  );
  await cluster.delete(driver, {});
  const [run] = await scene.runs(recorder, 1);
  expect(run).toMatchObject({ state: "failed", cause: "Deleted", why: "its driver was deleted before it had started" });
});

test("a pod that is deleted by force loses nothing of its log that was written before", async () => {
  const scene = await recording();
  const { cluster } = scene;
  const recorder = await scene.start();
  const driver = await cluster.createPod(driverPod("gone").build());
  cluster.writeLog(driver, ["one", "two"]);
  const executor = await cluster.createPod(executorPod(1, "gone").build());
  cluster.writeLog(executor, ["three"]);
  await scene.untilRead("two");
  await scene.untilRead("three");
  await cluster.delete(driver, { gracePeriodSeconds: 0 });
  await cluster.delete(executor, { gracePeriodSeconds: 0 });
  const [run] = await scene.runs(recorder, 1);
  expect(run && (await scene.log(run))).toEqual(["one", "two"]);
  expect(run && (await scene.log(run, "executor-1"))).toEqual(["three"]);
  expect(run?.executors).toBe(1);
});

test("a recorder that is started again goes on, without a line that is missing or there twice", async () => {
  const scene = await recording();
  const { cluster } = scene;
  const first = await scene.start();
  const driver = await cluster.createPod(driverPod("long").build());
  const lines = Array.from({ length: 200 }, (_, number) => `line ${number}`);
  cluster.writeLog(driver, lines.slice(0, 100));
  await first.stop();
  cluster.writeLog(driver, lines.slice(100));
  const second = await scene.start();
  cluster.end(driver, 0);
  const [run] = await scene.runs(second, 1);
  expect(run && (await scene.log(run))).toEqual(lines);
});

test("what ended while no recorder ran is recorded, as far as it is there", async () => {
  const scene = await recording();
  const { cluster } = scene;
  const first = await scene.start();
  const [kept, lost] = [
    await cluster.createPod(driverPod("kept").build()),
    await cluster.createPod(driverPod("lost").build()),
  ];
  cluster.writeLog(kept, ["kept one"]);
  cluster.writeLog(lost, ["lost one"]);
  await scene.untilRead("kept one");
  await scene.untilRead("lost one");
  await first.stop();
  cluster.writeLog(kept, ["kept two"]);
  cluster.end(kept, 3);
  await cluster.inPhase(kept, "Failed");
  await cluster.delete(lost, { gracePeriodSeconds: 0 });
  const second = await scene.start();
  const runs = await scene.runs(second, 2);
  const found = (name: string) => runs.find((run) => run.name === name);
  const [ofKept, ofLost] = [found("kept"), found("lost")];
  expect([ofKept?.state, ofLost?.state]).toEqual(["failed", "lost"]);
  expect(ofKept && (await scene.log(ofKept))).toEqual(["kept one", "kept two"]);
  expect(ofLost && (await scene.log(ofLost))).toEqual(["lost one"]);
});

test("what a recorder could not store before its end, the next one stores", async () => {
  let isAway = true;
  const stored = await folderArchive();
  const away = (): Promise<never> => Promise.reject(new Error("the store is away"));
  const scene = await recording({
    ...stored,
    put: (path, content) => (isAway ? away() : stored.put(path, content)),
    putFile: (path, file) => (isAway ? away() : stored.putFile(path, file)),
  });
  const { cluster } = scene;
  const first = await scene.start();
  const driver = await cluster.createPod(driverPod("unlucky").build());
  const executor = await cluster.createPod(executorPod(1, "unlucky").build());
  cluster.writeLog(executor, ["of the executor"]);
  cluster.end(executor, 0);
  await scene.untilRead("of the executor");
  await cluster.delete(executor, { gracePeriodSeconds: 0 });
  await first.stop();
  isAway = false;
  const second = await scene.start();
  cluster.end(driver, 0);
  const [run] = await scene.runs(second, 1);
  expect(run?.executors).toBe(1);
  expect(run && (await scene.log(run, "executor-1"))).toEqual(["of the executor"]);
});

test("each attempt of an application is a run of its own", async () => {
  const scene = await recording();
  const { cluster } = scene;
  const recorder = await scene.start();
  for (const [index, code] of [1, 0].entries()) {
    const driver = await cluster.createPod(driverPod("again", "spark-again").build());
    cluster.writeLog(driver, [`attempt ${index + 1}`]);
    cluster.end(driver, code);
    await scene.runs(recorder, index + 1);
    await cluster.delete(driver, { gracePeriodSeconds: 0 });
  }
  const runs = await scene.runs(recorder, 2);
  expect(runs.map(({ attempt, state }) => `${attempt} ${state}`).toSorted()).toEqual(["1 failed", "2 succeeded"]);
  for (const run of runs) expect(await scene.log(run)).toEqual([`attempt ${run.attempt}`]);
});
