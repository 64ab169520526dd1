import { appendFile, mkdir, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { PodLife } from "@kindling/recorder-client";
import type { PartContent } from "../../src/spool/kept-log.ts";
import type { LogSpool } from "../../src/spool/log-spool.ts";
import { RunSpool } from "../../src/spool/run-spool.ts";
import { testFolder } from "../support/archives.ts";
import { ENDLESS_ROOM } from "../support/endless-room.ts";

const AT = { time: "2026-11-21T10:00:00.000000001Z", lines: 1 };
const LINE_AFTER = { ...AT, lines: 2 };
/** A log that has more than this is kept in a folder of its own. */
const LONG = 70_000;

const LIFE: PodLife = {
  ...{ role: "executor", executor: "1", pod: "a", uid: "1", cores: 1, memory: 1, labels: {}, spot: false },
  ...{ ended: 1, reason: "Completed" },
};

/** Keeps the parts that a spool stores. */
function partsOf(): {
  readonly store: (part: number, content: PartContent) => Promise<void>;
  readonly text: () => string;
} {
  const parts = new Map<number, string>();
  return {
    store: async (part, content) =>
      void parts.set(part, "text" in content ? content.text.toString("utf8") : await readFile(content.file, "utf8")),
    text: () =>
      [...parts]
        .toSorted(([a], [b]) => a - b)
        .map(([, text]) => text)
        .join(""),
  };
}

async function opened(folder: string, partBytes = 1_000): Promise<RunSpool> {
  return await RunSpool.open({ folder, partBytes, room: ENDLESS_ROOM }, () => undefined);
}

/** All that is stored of a log that has ended. */
async function storedOf(log: LogSpool): Promise<string> {
  const { store, text } = partsOf();
  await log.complete();
  await log.storeParts(store);
  return text();
}

const LINES = fc.array(
  fc.oneof(
    fc.string({ maxLength: 300 }).map((text) => text.replaceAll("\n", " ")),
    fc.constantFrom("x".repeat(20_000), "\u{1F600}".repeat(5_000)),
    fc.constantFrom("flush" as const, "restart" as const).map((does) => ({ does })),
  ),
  { maxLength: 60 },
);

test("all lines come to the archive, however long the log is, and whenever the process is killed", async () => {
  await fc.assert(
    fc.asyncProperty(LINES, async (steps) => {
      const folder = await testFolder();
      let log = (await opened(folder, 30_000)).log("driver");
      let wanted: string[] = [];
      let written = 0;
      const resumed: { readonly at: number; readonly wanted: number }[] = [];
      for (const step of steps) {
        if (typeof step === "string") {
          wanted.push(`${step}\n`);
          await log.add(step, { ...AT, lines: wanted.length });
          if (!log.hasPending) written = wanted.length;
        } else if (step.does === "flush") {
          await log.flush();
          written = wanted.length;
        } else {
          log = (await opened(folder, 30_000)).log("driver");
          wanted = wanted.slice(0, written);
          resumed.push({ at: log.position?.lines ?? 0, wanted: written });
        }
      }
      expect(await storedOf(log)).toBe(Buffer.from(wanted.join("")).toString("utf8"));
      expect(resumed.map(({ at }) => at)).toEqual(resumed.map((one) => one.wanted));
    }),
    { numRuns: 40 },
  );
});

test("another process goes on where the last one was, without what that one had not recorded", async () => {
  const folder = await testFolder();
  const first = (await opened(folder)).log("driver");
  await first.add("one", AT);
  await first.flush();
  await first.add("lost with the process", LINE_AFTER);
  // A write that the process did not finish.
  await appendFile(join(folder, "logs.jsonl"), '{"log":"driver","text":"lost with');
  const second = (await opened(folder)).log("driver");
  expect(second.position).toEqual(AT);
  await second.add("two", LINE_AFTER);
  await second.flush();
  expect(await storedOf((await opened(folder)).log("driver"))).toBe("one\ntwo\n");
});

test("so it does with a long log", async () => {
  const folder = await testFolder();
  const first = (await opened(folder, 1_000_000)).log("driver");
  const line = "x".repeat(LONG);
  await first.add(line, AT);
  await first.flush();
  await appendFile(join(folder, "logs", "driver", "1.log"), "lost with");
  const second = (await opened(folder)).log("driver");
  expect(second.position).toEqual(AT);
  await second.add("two", LINE_AFTER);
  expect(await storedOf(second)).toBe(`${line}\ntwo\n`);
});

test("a log that was about to get a folder of its own when its process was killed is whole", async () => {
  const folder = await testFolder();
  const first = (await opened(folder)).log("driver");
  await first.add("one", AT);
  await first.flush();
  await mkdir(join(folder, "logs", "driver"), { recursive: true });
  await writeFile(join(folder, "logs", "driver", "1.log"), "on");
  const second = (await opened(folder)).log("driver");
  expect(second.position).toEqual(AT);
  await second.add("x".repeat(LONG), LINE_AFTER);
  expect(await storedOf(second)).toBe(`one\n${"x".repeat(LONG)}\n`);
});

test("a line that was cut off does not harm the one that is written after it", async () => {
  const folder = await testFolder();
  const first = await opened(folder);
  await first.addLife(LIFE);
  await truncate(join(folder, "lives.jsonl"), 10);
  const second = await opened(folder);
  expect(second.isRecorded("1")).toBe(false);
  await second.addLife(LIFE);
  expect(await (await opened(folder)).lives()).toMatchObject([{ uid: "1" }]);
});

test("logs are told apart, and their lines are in order, when many are written at once", async () => {
  const folder = await testFolder();
  const spool = await opened(folder);
  const names = Array.from({ length: 200 }, (_, index) => `executor-${index}`);
  await Promise.all(
    names.map(async (name) => {
      const log = spool.log(name);
      for (const line of ["first", "second", "third"]) {
        await log.add(`${line} of ${name}`, AT);
        await log.flush();
      }
    }),
  );
  const later = await opened(folder);
  for (const name of names)
    expect(await storedOf(later.log(name))).toBe(`first of ${name}\nsecond of ${name}\nthird of ${name}\n`);
});

test("lines that could not be written are written later, once", async () => {
  const folder = await testFolder();
  const log = (await opened(folder)).log("executor-1");
  await rm(folder, { recursive: true });
  await log.add("one", AT);
  await expect(log.flush()).rejects.toThrow("ENOENT");
  await expect(log.complete()).rejects.toThrow("ENOENT");
  await mkdir(folder);
  await log.add("two", LINE_AFTER);
  await log.flush();
  expect(await storedOf((await opened(folder)).log("executor-1"))).toBe("one\ntwo\n");
});

test("what is in the archive is not stored again by another process", async () => {
  const folder = await testFolder();
  const first = await opened(folder);
  await first.log("executor-1").add("one", AT);
  await storedOf(first.log("executor-1"));
  expect(await storedOf((await opened(folder)).log("executor-1"))).toBe("");
});

test("a part that could not be stored is stored later", async () => {
  const spool = (await opened(await testFolder(), LONG)).log("driver");
  const lines = ["1", "2", "3"].map((line) => line.repeat(LONG));
  for (const line of lines) await spool.add(line, AT);
  const { store, text } = partsOf();
  let failures = 2;
  const unreliable = async (part: number, content: PartContent): Promise<void> => {
    if (part === 2 && failures-- > 0) throw new Error("the store is away");
    await store(part, content);
  };
  await expect(spool.storeParts(unreliable)).rejects.toThrow("away");
  await expect(spool.storeParts(unreliable)).rejects.toThrow("away");
  await spool.storeParts(unreliable);
  expect(text()).toBe(lines.map((line) => `${line}\n`).join(""));
});

test("the last lines are known, also when the part before them is in the archive", async () => {
  const folder = await testFolder();
  const run = await opened(folder, LONG);
  const { store } = partsOf();
  for (let number = 0; number < 40; number++) {
    await run.log("driver").add(`${"x".repeat(10_000)} ${number}`, AT);
    await run.log("driver").flush();
    await run.log("driver").storeParts(store);
  }
  const last = (await run.tail("driver", 3)).map((line) => line.slice(-2));
  expect(last).toEqual(["37", "38", "39"]);
  expect((await readdir(join(folder, "logs", "driver"))).length).toBeLessThanOrEqual(3);
  await run.log("executor-1").add("one", AT);
  await run.log("executor-1").add("two", AT);
  await run.log("executor-1").add("three", AT);
  expect(await run.tail("executor-1", 2)).toEqual(["two", "three"]);
  expect(await run.tail("executor-2", 2)).toEqual([]);
});

test("what a version before had on the disk is taken up", async () => {
  const folder = await testFolder();
  await mkdir(join(folder, "logs", "executor-1"), { recursive: true });
  await writeFile(join(folder, "logs", "executor-1", "1.log"), "one\n");
  const state = { part: 1, size: 4, stored: 0, bytes: 4, position: AT };
  await writeFile(join(folder, "logs", "executor-1", "state.json"), JSON.stringify(state));
  const log = (await opened(folder)).log("executor-1");
  expect(log.position).toEqual(AT);
  await log.add("two", LINE_AFTER);
  expect(await storedOf(log)).toBe("one\ntwo\n");
});

test("what an earlier process has written may be anything", async () => {
  const folder = await testFolder();
  await mkdir(join(folder, "logs", "driver"), { recursive: true });
  await writeFile(join(folder, "logs.jsonl"), '\n{\nnull\n[]\n{"log":7}\n{"log":"driver","text":7,"position":8}\n');
  for (const state of ["", "{", "null", '{"part":-1}', '{"part":1,"size":5,"stored":3,"bytes":0}']) {
    await writeFile(join(folder, "logs", "driver", "state.json"), state);
    const log = (await opened(folder)).log("driver");
    expect([log.position, log.bytes]).toEqual([undefined, 0]);
  }
});
