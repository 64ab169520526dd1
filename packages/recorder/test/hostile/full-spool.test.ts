import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { eventually } from "@kindling/test-kit/eventually";
import { expect, test } from "vitest";
import { ArchiveError } from "../../src/archive/archive.ts";
import { folderArchive } from "../support/archives.ts";
import { driverPod, executorPod, recording } from "../support/recording.ts";

const SPOOL_BYTES = 400_000;
/** The recorder keeps these facts about pods all the same. */
const FOR_PODS = 20_000;
const LINES = Array.from({ length: 900 }, (_, index) => `line ${index} ${"x".repeat(600)}`);
const TAIL_MS = 200;

async function sizeOf(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true });
  const found = await Promise.all(names.map((name) => stat(join(folder, name)).catch(() => undefined)));
  return found.reduce((sum, one) => sum + (one?.isFile() === true ? one.size : 0), 0);
}

test("while the archive is away, a full disk takes no more; later, all lines are kept", async () => {
  const archive = await folderArchive();
  let isAway = true;
  const unlessAway = async (write: () => Promise<void>): Promise<void> => {
    if (isAway) throw new ArchiveError("nobody answers", undefined);
    await write();
  };
  const scene = await recording({
    ...archive,
    put: (path, content) => unlessAway(() => archive.put(path, content)),
    putFile: (path, file) => unlessAway(() => archive.putFile(path, file)),
  });
  const { cluster } = scene;
  const recorder = await scene.start(TAIL_MS, SPOOL_BYTES);
  const driver = await cluster.createPod(driverPod("daily").build());
  const executor = await cluster.createPod(executorPod(1, "daily").build());
  cluster.writeLog(driver, LINES);
  cluster.writeLog(executor, LINES);
  await eventually(() => expect(scene.complaints.join()).toContain("there is no room for more logs"));
  cluster.end(executor, 0);
  cluster.end(driver, 0);
  await eventually(() => expect(recorder.unstored).toBe(1));
  expect(await sizeOf(scene.spoolFolder)).toBeLessThan(SPOOL_BYTES + FOR_PODS);
  isAway = false;
  const [run] = await scene.runs(recorder, 1);
  expect(run && (await scene.log(run))).toEqual(LINES);
  expect(run && (await scene.log(run, "executor-1"))).toEqual(LINES);
});

test("an archive that answers takes parts that are not large yet, if the disk is full", async () => {
  const scene = await recording();
  const { cluster } = scene;
  const recorder = await scene.start(TAIL_MS, SPOOL_BYTES);
  const driver = await cluster.createPod(driverPod("daily").build());
  cluster.writeLog(driver, LINES);
  await scene.untilRead("line 899 ");
  cluster.end(driver, 0);
  const [run] = await scene.runs(recorder, 1);
  expect(run && (await scene.log(run))).toEqual(LINES);
  await eventually(async () => expect(await sizeOf(scene.spoolFolder)).toBeLessThan(FOR_PODS));
});
