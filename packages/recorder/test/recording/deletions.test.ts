import { expect, test } from "vitest";
import type { Pod } from "kubernetes-types/core/v1.js";
import type { AskedPod } from "@kindling/recorder-client";
import { driverPod, executorPod, NAMESPACE, recording } from "../support/recording.ts";

const NEVER_TAILED = 3_600_000;
const PATIENT = new AbortController().signal;

function asked({ metadata }: Pod): AskedPod {
  const { namespace = "", name = "", uid = "" } = metadata ?? {};
  return { namespace, name, uid };
}

test("what a running executor says while its pod is being deleted is kept", async () => {
  const scene = await recording();
  const { cluster } = scene;
  cluster.script = () => ({ stopMilliseconds: 600_000 });
  const recorder = await scene.start(NEVER_TAILED);
  const driver = await cluster.createPod(driverPod("daily").build());
  const executor = await cluster.createPod(
    executorPod(1, "daily").spec({ terminationGracePeriodSeconds: 600 }).build(),
  );
  cluster.writeLog(executor, ["it works"]);
  await cluster.startToDelete(executor);
  cluster.writeLog(executor, ["it was told to end"]);
  await scene.untilRead("it was told to end");
  cluster.writeLog(executor, ["its last words"]);
  cluster.end(executor, 143);
  cluster.end(driver, 0);
  const [run] = await scene.runs(recorder, 1);
  expect(run && (await scene.log(run, "executor-1"))).toEqual(["it works", "it was told to end", "its last words"]);
  expect(await scene.record(run)).toMatchObject({ logs: [{ name: "driver" }, { name: "executor-1" }] });
  expect(await scene.record(run)).not.toMatchObject({ logs: [{}, { gap: expect.any(String) as string }] });
});

test("who wants to delete an ended executor is told when its log has been read", async () => {
  const scene = await recording();
  const { cluster } = scene;
  const recorder = await scene.start(NEVER_TAILED);
  const driver = await cluster.createPod(driverPod("daily").build());
  const executor = await cluster.createPod(executorPod(1, "daily").build());
  const ending = recorder.podEnd(asked(executor), PATIENT);
  cluster.writeLog(executor, ["its last words"]);
  cluster.end(executor, 0);
  expect(await ending).toBe("recorded");
  await cluster.delete(executor, { gracePeriodSeconds: 0 });
  expect(await recorder.podEnd(asked(executor), PATIENT)).toBe("recorded");
  cluster.end(driver, 0);
  const [run] = await scene.runs(recorder, 1);
  expect(run && (await scene.log(run, "executor-1"))).toEqual(["its last words"]);
});

test("who wants to delete an executor that runs is told when its log is followed", async () => {
  const scene = await recording();
  const { cluster } = scene;
  const recorder = await scene.start(NEVER_TAILED);
  const driver = await cluster.createPod(driverPod("daily").build());
  const executor = await cluster.createPod(executorPod(1, "daily").build());
  cluster.writeLog(executor, ["it works"]);
  expect(await recorder.podEnd({ ...asked(executor), running: true }, PATIENT)).toBe("followed");
  cluster.writeLog(executor, ["its last words"]);
  cluster.end(executor, 0);
  await cluster.delete(executor, { gracePeriodSeconds: 0 });
  cluster.end(driver, 0);
  const [run] = await scene.runs(recorder, 1);
  expect(run && (await scene.log(run, "executor-1"))).toEqual(["it works", "its last words"]);
  expect(await scene.record(run)).not.toMatchObject({ logs: [{}, { gap: expect.any(String) as string }] });
});

test("who asks about an executor that still runs, or about none, is told so", async () => {
  const scene = await recording();
  const { cluster } = scene;
  const recorder = await scene.start();
  await cluster.createPod(driverPod("daily").build());
  const executor = await cluster.createPod(executorPod(1, "daily").build());
  const enough = new AbortController();
  const waiting = recorder.podEnd(asked(executor), enough.signal);
  expect(await recorder.podEnd({ ...asked(executor), uid: "another" }, PATIENT)).toBe("unknown");
  enough.abort();
  expect(await waiting).toBe("unread");
});

test("the end of an executor is told to nobody who names another namespace", async () => {
  const scene = await recording();
  const { cluster } = scene;
  const recorder = await scene.start();
  await cluster.createPod(driverPod("daily").build());
  const executor = await cluster.createPod(executorPod(1, "daily").build());
  cluster.end(executor, 0);
  const pod = asked(executor);
  expect(await recorder.podEnd(pod, PATIENT)).toBe("recorded");
  expect(pod.namespace).toBe(NAMESPACE);
  expect(await recorder.podEnd({ ...pod, namespace: "elsewhere" }, PATIENT)).toBe("unknown");
});
