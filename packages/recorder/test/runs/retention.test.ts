import { systemRandom } from "@kindling/outside";
import { expect, test } from "vitest";
import type { Archive } from "../../src/archive/archive.ts";
import { recordPath } from "../../src/archive/archive-paths.ts";
import { History } from "../../src/runs/history.ts";
import { deleteExpired, type RetentionLimits } from "../../src/runs/retention.ts";
import { RunIndex } from "../../src/runs/run-index.ts";
import type { Run } from "@kindling/recorder-client";
import { folderArchive } from "../support/archives.ts";
import { someRun } from "../support/some-run.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const DAY = 24 * 3_600_000;

interface Kept {
  readonly archive: Archive;
  readonly history: History;
  readonly index: RunIndex;
}

async function kept(runs: readonly Run[]): Promise<Kept> {
  const archive = await folderArchive();
  const history = new History();
  const index = new RunIndex({ archive, history, random: systemRandom(), onBadLines: () => undefined });
  for (const run of runs) await archive.put(recordPath(run), Buffer.from("{}"));
  await index.add(runs);
  return { archive, history, index };
}

async function expire(all: Kept, limits: RetentionLimits): Promise<string[]> {
  await deleteExpired({ ...all, limitsOf: () => limits, now: () => NOW });
  return [...all.history.matching({ mayShow: () => true })].map(({ uid }) => uid);
}

async function records(archive: Archive): Promise<string[]> {
  const found: string[] = [];
  for await (const { path } of archive.list("v1/runs")) found.push(path);
  return found;
}

test("runs go with their files when they are too old", async () => {
  const all = await kept([
    someRun({ uid: "old", ended: NOW - 8 * DAY }),
    someRun({ uid: "new", ended: NOW - 6 * DAY }),
  ]);
  expect(await expire(all, { age: 7 * DAY })).toEqual(["new"]);
  expect(await records(all.archive)).toEqual([recordPath(someRun({ uid: "new" }))]);
});

test("the newest runs of each namespace stay, as many as there is room for", async () => {
  const all = await kept([
    someRun({ uid: "a", ended: NOW - 3, bytes: 600 }),
    someRun({ uid: "b", ended: NOW - 2, bytes: 600 }),
    someRun({ uid: "c", ended: NOW - 1, bytes: 300 }),
    someRun({ uid: "d", ended: NOW - 4, bytes: 900, namespace: "ml" }),
  ]);
  expect(await expire(all, { bytes: 1_000 })).toEqual(["c", "b", "d"]);
});

test("without limits everything stays", async () => {
  const all = await kept([someRun({ uid: "old", ended: 0 })]);
  expect(await expire(all, {})).toEqual(["old"]);
});

test("an interrupted deletion is completed the next time", async () => {
  const all = await kept(["a", "b", "c"].map((uid) => someRun({ uid, ended: NOW - 8 * DAY })));
  let left = 1;
  const archive: Archive = {
    ...all.archive,
    delete: (path) => (left-- > 0 ? all.archive.delete(path) : Promise.reject(new Error("killed"))),
  };
  await expect(expire({ ...all, archive }, { age: DAY })).rejects.toThrow("killed");
  expect(await expire(all, { age: DAY })).toEqual([]);
  expect(await records(all.archive)).toEqual([]);
});
