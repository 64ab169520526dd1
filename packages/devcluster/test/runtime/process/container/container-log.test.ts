import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ContainerLog } from "../../../../src/runtime/process/container/container-log.ts";
import type { LogQuery } from "../../../../src/runtime/logs.ts";

let folder: string;
let count = 0;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "kindling-log-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function newLog(): { log: ContainerLog; path: string } {
  count += 1;
  const path = join(folder, String(count));
  return { log: new ContainerLog(path), path };
}

async function read(log: ContainerLog, query: Partial<LogQuery> = {}): Promise<string[]> {
  const { signal } = new AbortController();
  const all = { previous: false, tailLines: undefined, since: undefined, follow: false, signal, ...query };
  const lines: string[] = [];
  for await (const { text } of log.read(all)) lines.push(text);
  return lines;
}

// With some that are longer than one read.
const line = fc.oneof(
  { weight: 20, arbitrary: fc.string({ unit: "grapheme", maxLength: 40 }) },
  { weight: 1, arbitrary: fc.nat({ max: 150_000 }).map((length) => "x".repeat(length)) },
);
const lines = fc.array(
  line.map((text) => text.replaceAll("\n", " ")),
  { maxLength: 60 },
);

test("lines come back as they were written, in whatever pieces, and so do the last of them", async () => {
  await fc.assert(
    fc.asyncProperty(lines, fc.array(fc.nat({ max: 400_000 })), fc.nat({ max: 70 }), async (written, cuts, tail) => {
      const { log } = newLog();
      const bytes = Buffer.from(written.map((text) => `${text}\n`).join(""));
      const places = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
      places.slice(1).forEach((to, index) => log.write("stdout", bytes.subarray(places[index], to), 1000));
      log.close(2000);
      expect(await read(log)).toEqual(written);
      expect(await read(log, { tailLines: tail })).toEqual(tail === 0 ? [] : written.slice(-tail));
      log.remove();
    }),
    { numRuns: 40 },
  );
});

test("lines have the time at which they were complete", async () => {
  const { log } = newLog();
  log.write("stdout", Buffer.from("one\ntw"), 1000);
  log.write("stdout", Buffer.from("o\nthr"), 2000);
  log.close(3000);
  expect(await read(log, { since: 2000 })).toEqual(["two", "thr"]);
  expect(await read(log, { since: 3000 })).toEqual(["thr"]);
});

test("the two streams do not get into each other's lines", async () => {
  const { log } = newLog();
  log.write("stdout", Buffer.from("COUNT "), 1000);
  log.write("stderr", Buffer.from("INFO stopping\nINFO sto"), 1000);
  log.write("stdout", Buffer.from("not 1\n"), 1000);
  log.close(1000);
  expect(await read(log)).toEqual(["INFO stopping", "COUNT not 1", "INFO sto"]);
});

test("who follows gets lines as they come, until the end or until he leaves", async () => {
  const { log } = newLog();
  log.write("stdout", Buffer.from("one\n"), 1000);
  const leaver = new AbortController();
  const [all, left] = [read(log, { follow: true }), read(log, { follow: true, signal: leaver.signal })];
  await new Promise((resolve) => setImmediate(resolve));
  leaver.abort();
  expect(await left).toEqual(["one"]);
  log.write("stdout", Buffer.from("two\n"), 1000);
  log.close(1000);
  expect(await all).toEqual(["one", "two"]);
});

test("a line without an end does not fill the memory", async () => {
  const { log } = newLog();
  const piece = Buffer.alloc(256 * 1024, "x");
  for (let index = 0; index < 5; index++) log.write("stdout", piece, 1000);
  expect((await read(log)).map(({ length }) => length)).toEqual([5 * 256 * 1024]);
  log.remove();
});

test("a log that is removed ends for its readers, and its file is gone", async () => {
  const { log, path } = newLog();
  log.write("stdout", Buffer.from("one\n"), 1000);
  const following = read(log, { follow: true });
  await new Promise((resolve) => setImmediate(resolve));
  log.remove();
  expect(await following).toEqual(["one"]);
  expect(existsSync(path)).toBe(false);
});
