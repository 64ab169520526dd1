import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { eventually } from "@kindling/test-kit/eventually";
import type { Pod } from "kubernetes-types/core/v1.js";
import { expect, test } from "vitest";
import type { EventLogTarget } from "../../src/recording/event-log-target.ts";
import type { RunningRecorder } from "../../src/start-recorder.ts";
import { testFolder } from "../support/archives.ts";
import { driverOf, ID, LOG, shipping } from "../support/shipping.ts";
import { driverPod, NAMESPACE, recording } from "../support/recording.ts";
import { bearer, podToken, readerToken, type TestRecorder, testRecorder } from "../support/recorder-server.ts";

test("an event log is in the archive as Spark has written it, and the container's folder stays small", async () => {
  const recorder = await testRecorder("--auth-mode", "kubernetes");
  const driver = await driverOf(recorder);
  const folder = await testFolder();
  await mkdir(join(folder, LOG));
  const first = Buffer.alloc(1_500_000, "one ");
  await writeFile(join(folder, LOG, `events_1_${ID}.zstd`), first);
  await writeFile(join(folder, LOG, `appstatus_${ID}.inprogress`), "");
  const { done } = await shipping(recorder, driver, folder);
  await eventually(async () => expect(await uploaded(recorder, driver)).toContain(`events_1_${ID}.zstd 1500000`));
  await writeFile(join(folder, LOG, `events_2_${ID}.zstd`), "two");
  await rename(join(folder, LOG, `appstatus_${ID}.inprogress`), join(folder, LOG, `appstatus_${ID}`));
  recorder.cluster.end(driver, 0, "Completed", "spark-kubernetes-driver");
  expect(await done).toBe(true);
  expect(await readdir(join(folder, LOG))).not.toContain(`events_1_${ID}.zstd`);
  const reader = bearer(await readerToken(recorder.cluster, "reader", { of: NAMESPACE }));
  const [run] = await recorder.runs(1, reader);
  expect(run?.eventLog).toBe(LOG);
  const kept = join(recorder.archiveFolder, "v1", "event-logs", NAMESPACE, LOG);
  expect((await readdir(kept)).toSorted()).toEqual([`appstatus_${ID}`, `events_1_${ID}.zstd`, `events_2_${ID}.zstd`]);
  expect((await readFile(join(kept, `events_1_${ID}.zstd`))).equals(first)).toBe(true);
});

test("files that Spark has finished go to the archive while the application runs, and outlive the recorder's disk", async () => {
  const scene = await recording();
  const { cluster } = scene;
  const first = await scene.start();
  const driver = await cluster.createPod(
    driverPod("daily").container("kindling-event-log", { image: "localizer" }).build(),
  );
  const uid = driver.metadata?.uid ?? "";
  const { log } = await eventually(async () => await targetOf(first, uid));
  const append = async (name: string, offset: number, text: string): Promise<void> =>
    await log.append({ log: LOG, name }, { offset, bytes: Buffer.from(text), most: 1_000 });
  await append(`events_1_${ID}`, 0, "one");
  await append(`appstatus_${ID}.inprogress`, 0, "");
  await append(`events_2_${ID}`, 0, "tw");
  await eventually(() => expect(log.isStored({ log: LOG, name: `events_1_${ID}` })).toBe(true));
  const kept = async (name: string): Promise<string | undefined> => {
    const content = await scene.archive.read(`v1/event-logs/${NAMESPACE}/${LOG}/${name}`);
    return content?.toString("utf8");
  };
  expect([await kept(`events_1_${ID}`), await kept(`appstatus_${ID}.inprogress`)]).toEqual(["one", ""]);
  expect(await readdir(join(scene.spoolFolder, uid, "event-log", LOG))).not.toContain(`events_1_${ID}`);
  expect(await first.foldersInUse()).toContain(`v1/event-logs/${NAMESPACE}/${LOG}`);
  // The container that brings it sees what has arrived.
  expect(log.files).toContainEqual({ log: LOG, name: `events_1_${ID}`, size: 3 });
  await expect(append(`events_1_${ID}`, 3, "more")).rejects.toThrow("there are 3 bytes");
  await first.stop();

  const second = await scene.start();
  const { log: continued } = await eventually(async () => await targetOf(second, uid));
  expect(continued.files).toContainEqual({ log: LOG, name: `events_1_${ID}`, size: 3 });
  expect(continued.files).toContainEqual({ log: LOG, name: `events_2_${ID}`, size: 2 });
  await second.stop();

  await rm(join(scene.spoolFolder, uid), { recursive: true });
  const third = await scene.start();
  cluster.end(driver, 0, "Completed", "spark-kubernetes-driver");
  cluster.end(driver, 0, "Completed", "kindling-event-log");
  const [run] = await scene.runs(third, 1);
  expect(run).toMatchObject({ state: "succeeded", eventLog: LOG });
  expect(await kept(`events_1_${ID}`)).toBe("one");
});

async function targetOf(recorder: RunningRecorder, uid: string): Promise<EventLogTarget> {
  const target = await recorder.eventLogOf(uid);
  if (target === undefined) throw new Error("the driver is not known yet");
  return target;
}

async function uploaded(recorder: TestRecorder, driver: Pod): Promise<readonly string[]> {
  const { text } = await recorder.ask("/api/v1/event-logs/own", bearer(await podToken(recorder.cluster, driver)));
  const { files = [] } = JSON.parse(text) as { readonly files?: { path: string; size: number }[] };
  return files.map(({ path, size }) => `${path.split("/")[1] ?? ""} ${size}`);
}

const digestOf = (text: string): string => `sha-256=:${createHash("sha256").update(text).digest("base64")}:`;

async function append(
  recorder: TestRecorder,
  driver: Pod,
  path: string,
  { text = "abc", offset = "0", digest = digestOf(text) },
): Promise<number> {
  const token = await podToken(recorder.cluster, driver);
  const response = await fetch(new URL(`api/v1/event-logs/own/${path}`, recorder.uri), {
    method: "PATCH",
    headers: {
      ...{ "content-type": "application/octet-stream", "upload-offset": offset, "content-digest": digest },
      ...bearer(token),
    },
    body: text,
  });
  await response.text();
  return response.status;
}

test("what does not continue a file, or is none, is refused", async () => {
  const recorder = await testRecorder("--auth-mode", "kubernetes", "--event-logs-size", "10");
  const driver = await driverOf(recorder);
  const file = `${LOG}/events_1_${ID}`;
  await eventually(async () => expect(await append(recorder, driver, file, {})).toBe(204));
  const refused = async (path: string, how: Parameters<typeof append>[3]): Promise<number> =>
    await append(recorder, driver, path, how);
  expect([
    await refused(file, { offset: "0" }),
    await refused(file, { offset: "x" }),
    await refused(file, { offset: "3", digest: digestOf("other") }),
    await refused(file, { offset: "3", text: "far too much" }),
    await refused(`${LOG}/other`, {}),
    await refused(`..%2F..%2Fx/events_1_x`, {}),
    await refused(`eventlog_v2_..%2Fx/events_1_x`, {}),
  ]).toEqual([409, 400, 503, 413, 400, 400, 400]);
  expect(await uploaded(recorder, driver)).toEqual([`events_1_${ID} 3`]);
});

test("only pods of drivers that are recorded may send event logs, and they read nothing", async () => {
  const recorder = await testRecorder("--auth-mode", "kubernetes");
  const driver = await driverOf(recorder);
  await eventually(async () => expect(await append(recorder, driver, `${LOG}/events_1_${ID}`, {})).toBe(204));
  const other = await recorder.cluster.createPod(driverPod("other").labels({ "spark-role": "none" }).build());
  expect(await append(recorder, other, `${LOG}/events_1_${ID}`, { offset: "3" })).toBe(503);
  const reader = bearer(await readerToken(recorder.cluster, "reader", { of: undefined }));
  expect(await recorder.ask("/api/v1/event-logs/own", reader)).toMatchObject({ status: 401 });
  const own = bearer(await podToken(recorder.cluster, driver));
  expect(await recorder.ask(`/api/v1/runs?namespace=${NAMESPACE}`, own)).toMatchObject({ status: 403 });
});
