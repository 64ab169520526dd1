import { systemRandom } from "@kindling/outside";
import { describe, expect, test } from "vitest";
import type { Archive } from "../../src/archive/archive.ts";
import { logPath, recordPath } from "../../src/archive/archive-paths.ts";
import { History } from "../../src/runs/history.ts";
import { deleteLeftovers } from "../../src/runs/leftovers.ts";
import type { RetentionLimits } from "../../src/runs/retention.ts";
import { RunIndex } from "../../src/runs/run-index.ts";
import { ARCHIVES, folderArchive } from "../support/archives.ts";
import { someRun } from "../support/some-run.ts";

const DAY = 24 * 3_600_000;
const EVENT_LOGS = "v1/event-logs/etl";
const STORED = someRun({ uid: "stored", eventLog: "eventlog_v2_spark-1" });
const LOST = someRun({ uid: "lost", driver: "lost-driver" });
const RUNNING = someRun({ uid: "running" });

const FILES = [
  recordPath(STORED),
  logPath(STORED, "driver", 1),
  `${EVENT_LOGS}/eventlog_v2_spark-1/events_1_spark-1`,
  logPath(RUNNING, "driver", 1),
  `${EVENT_LOGS}/eventlog_v2_running/events_1_running`,
];
const LOST_FILES = [
  logPath(LOST, "driver", 1),
  logPath(LOST, "executor-1", 1),
  `${EVENT_LOGS}/eventlog_v2_lost/events_1_lost`,
];

interface Sweep {
  readonly limits?: RetentionLimits;
  /** How long after the files were written. */
  readonly after?: number;
}

/** An archive with a run that is stored, one that goes on, and one of which only logs are there. */
async function archiveWithLeftovers(archive: Archive): Promise<(sweep: Sweep) => Promise<string[]>> {
  const history = new History();
  const index = new RunIndex({ archive, history, random: systemRandom(), onBadLines: () => undefined });
  for (const path of [...FILES, ...LOST_FILES]) await archive.put(path, Buffer.from("content"));
  await index.add([STORED]);
  const inUse = new Set(["v1/runs/etl/2026-11-21/daily-driver/running", `${EVENT_LOGS}/eventlog_v2_running`]);
  return async ({ limits = { age: 7 * DAY }, after = 9 * DAY }) => {
    await deleteLeftovers({
      ...{ archive, history, index, foldersInUse: () => Promise.resolve(inUse) },
      ...{ limitsOf: () => limits, now: () => Date.now() + after },
    });
    const left: string[] = [];
    for (const folder of ["v1/runs", "v1/event-logs"])
      for await (const { path } of archive.list(folder)) left.push(path);
    return left.toSorted();
  };
}

const EVERYTHING = [...FILES, ...LOST_FILES].toSorted();

describe.each(Object.entries(ARCHIVES))("in %s", (_, open) => {
  test("old files go that belong to no run, and those of other runs stay", async () => {
    const sweep = await archiveWithLeftovers(await open());
    expect(await sweep({})).toEqual(FILES.toSorted());
  });
});

test("files stay as long as runs of their namespace, and a day more", async () => {
  const sweep = await archiveWithLeftovers(await folderArchive());
  expect(await sweep({ after: 7.9 * DAY })).toEqual(EVERYTHING);
  expect(await sweep({ limits: { bytes: 1 } })).toEqual(EVERYTHING);
  expect(await sweep({ after: 8.1 * DAY })).toEqual(FILES.toSorted());
});

test("files of others in the archive's folders stay", async () => {
  const archive = await folderArchive();
  await archive.put("v1/runs/README.txt", Buffer.from("ours"));
  await archive.put("v1/event-logs/etl/notes", Buffer.from("ours"));
  const sweep = await archiveWithLeftovers(archive);
  expect(await sweep({})).toEqual([...FILES, "v1/event-logs/etl/notes", "v1/runs/README.txt"].toSorted());
});
