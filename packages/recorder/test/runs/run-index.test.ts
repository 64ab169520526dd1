import { expect, test } from "vitest";
import type { Archive } from "../../src/archive/archive.ts";
import { History } from "../../src/runs/history.ts";
import { RunIndex } from "../../src/runs/run-index.ts";
import { systemRandom } from "@kindling/outside";
import { folderArchive } from "../support/archives.ts";
import { someRun } from "../support/some-run.ts";

interface Opened {
  readonly index: RunIndex;
  readonly history: History;
  readonly bad: string[];
}

async function opened(archive: Archive): Promise<Opened> {
  const history = new History();
  const bad: string[] = [];
  const index = new RunIndex({
    archive,
    history,
    random: systemRandom(),
    onBadLines: (path, count) => bad.push(`${path} ${count}`),
  });
  await index.load();
  return { index, history, bad };
}

async function files(archive: Archive): Promise<string[]> {
  const found: string[] = [];
  for await (const { path } of archive.list("v1/index")) found.push(path);
  return found;
}

const DAY = Date.parse("2026-11-21T00:00:00Z");

test("another process finds what was stored", async () => {
  const archive = await folderArchive();
  const { index } = await opened(archive);
  await index.add([someRun({ uid: "a", ended: DAY }), someRun({ uid: "b", namespace: "ml", ended: DAY + 1 })]);
  await index.add([someRun({ uid: "c", ended: DAY + 24 * 3_600_000 })]);
  expect((await files(archive)).map((path) => path.split("/").slice(2, 4).join(" ")).toSorted()).toEqual([
    "etl 2026-11-21",
    "etl 2026-11-22",
    "ml 2026-11-21",
  ]);
  const { history } = await opened(archive);
  expect(["a", "b", "c"].map((uid) => history.byUid(uid)?.namespace)).toEqual(["etl", "ml", "etl"]);
});

test("the files of a day become one", async () => {
  const archive = await folderArchive();
  const { index } = await opened(archive);
  for (let number = 0; number < 40; number++) await index.add([someRun({ uid: `uid-${number}`, ended: DAY + number })]);
  expect((await files(archive)).length).toBeLessThanOrEqual(17);
  expect((await opened(archive)).history.size).toBe(40);
});

test("a process that is killed between two files loses nothing, and counts nothing twice", async () => {
  const archive = await folderArchive();
  let left = 0;
  const killed: Archive = {
    ...archive,
    delete: (path) => (left-- > 0 ? archive.delete(path) : Promise.reject(new Error("killed"))),
  };
  const { index } = await opened(killed);
  for (let number = 0; number < 16; number++) await index.add([someRun({ uid: `uid-${number}`, ended: DAY })]);
  left = 5;
  await expect(index.add([someRun({ uid: "uid-16", ended: DAY })])).rejects.toThrow("killed");
  const { history } = await opened(archive);
  expect(history.size).toBe(17);
});

test("runs whose files are gone are taken out", async () => {
  const archive = await folderArchive();
  const { index } = await opened(archive);
  const [old, recent] = [someRun({ uid: "a", ended: DAY }), someRun({ uid: "b", ended: DAY + 1 })];
  await index.add([old, recent]);
  await index.remove([old]);
  const { history } = await opened(archive);
  expect([history.byUid("a"), history.byUid("b")?.uid]).toEqual([undefined, "b"]);
  await index.remove([recent]);
  expect(await files(archive)).toEqual([]);
});

test("what another process has added stays, also when this one takes runs of that day out", async () => {
  const archive = await folderArchive();
  const [one, other] = [await opened(archive), await opened(archive)];
  const [old, recent] = [someRun({ uid: "a", ended: DAY }), someRun({ uid: "b", ended: DAY + 1 })];
  await one.index.add([old]);
  await other.index.add([recent]);
  await one.index.remove([old]);
  const { history } = await opened(archive);
  expect([history.byUid("a"), history.byUid("b")?.uid]).toEqual([undefined, "b"]);
});

test("a process that reads the index again has what another one has added, and not what that one has taken out", async () => {
  const archive = await folderArchive();
  const [one, other] = [await opened(archive), await opened(archive)];
  const runs = Array.from({ length: 20 }, (_, number) => someRun({ uid: `uid-${number}`, ended: DAY + number }));
  for (const run of runs) await one.index.add([run]);
  await other.index.load();
  expect(other.history.size).toBe(20);
  await one.index.remove(runs.slice(0, 5));
  await other.index.load();
  expect([other.history.size, other.history.byUid("uid-0")]).toEqual([15, undefined]);
  await one.index.remove(runs.slice(5));
  await other.index.load();
  expect(other.history.size).toBe(0);
});

test("lines that somebody else has written are told, and left out", async () => {
  const archive = await folderArchive();
  await archive.put("v1/index/etl/2026-11-21/x.jsonl", Buffer.from("not JSON\n"));
  await archive.put("v1/index/etl/notes.txt", Buffer.from("not JSON\n"));
  const { history, bad } = await opened(archive);
  expect([history.size, bad]).toEqual([0, ["v1/index/etl/2026-11-21/x.jsonl 1"]]);
});
