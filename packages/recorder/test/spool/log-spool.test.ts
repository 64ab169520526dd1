import { readFile, appendFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { LogSpool } from "../../src/spool/log-spool.ts";
import { testFolder } from "../support/archives.ts";

const AT = { time: "2026-11-21T10:00:00.000000001Z", lines: 1 };

/** Keeps the parts that a spool stores. */
function partsOf(): { readonly store: (part: number, file: string) => Promise<void>; readonly text: () => string } {
  const parts = new Map<number, string>();
  return {
    store: async (part, file) => void parts.set(part, await readFile(file, "utf8")),
    text: () =>
      [...parts]
        .toSorted(([a], [b]) => a - b)
        .map(([, text]) => text)
        .join(""),
  };
}

async function opened(folder: string, partBytes = 1_000): Promise<LogSpool> {
  return await LogSpool.open({ folder, partBytes, onPart: () => undefined });
}

test("all lines come to the archive, in parts, whenever they are written to the disk", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof(
          fc.string({ maxLength: 300 }).map((text) => text.replaceAll("\n", " ")),
          fc.constant(undefined),
        ),
        {
          maxLength: 60,
        },
      ),
      async (lines) => {
        const spool = await opened(await testFolder());
        const { store, text } = partsOf();
        for (const line of lines) {
          if (line === undefined) await spool.flush();
          else await spool.add(line, AT);
        }
        await spool.complete();
        await spool.storeParts(store);
        const wanted = lines.flatMap((line) => (line === undefined ? [] : [`${line}\n`])).join("");
        expect(text()).toBe(Buffer.from(wanted).toString("utf8"));
      },
    ),
    { numRuns: 30 },
  );
});

test("another process goes on where the last one was, without what that one had not recorded", async () => {
  const folder = await testFolder();
  const first = await opened(folder);
  await first.add("one", AT);
  await first.flush();
  await first.add("lost with the process", { ...AT, lines: 2 });
  // A write that the process did not finish.
  await appendFile(join(folder, "1.log"), "lost with");
  const second = await opened(folder);
  expect(second.position).toEqual(AT);
  await second.add("two", { ...AT, lines: 2 });
  await second.complete();
  const { store, text } = partsOf();
  await second.storeParts(store);
  expect(text()).toBe("one\ntwo\n");
});

test("a part that could not be stored is stored later", async () => {
  const spool = await opened(await testFolder(), 10);
  for (const line of ["first part", "second part", "third part"]) {
    await spool.add(line, AT);
    await spool.flush();
  }
  const { store, text } = partsOf();
  let failures = 2;
  const unreliable = async (part: number, file: string): Promise<void> => {
    if (part === 2 && failures-- > 0) throw new Error("the store is away");
    await store(part, file);
  };
  await expect(spool.storeParts(unreliable)).rejects.toThrow("away");
  await expect(spool.storeParts(unreliable)).rejects.toThrow("away");
  await spool.storeParts(unreliable);
  expect(text()).toBe("first part\nsecond part\nthird part\n");
});

test("the last lines are known, also when the part before them is in the archive", async () => {
  const folder = await testFolder();
  const spool = await opened(folder, 50);
  const { store } = partsOf();
  for (let number = 0; number < 40; number++) {
    await spool.add(`line ${number}`, AT);
    await spool.flush();
    await spool.storeParts(store);
  }
  expect(await spool.tail(3)).toEqual(["line 37", "line 38", "line 39"]);
  expect((await readdir(folder)).length).toBeLessThanOrEqual(3);
});

test("what an earlier process has written may be anything", async () => {
  const folder = await testFolder();
  for (const state of ["", "{", "null", '{"part":-1}', '{"part":1,"size":5,"stored":3,"bytes":0}']) {
    await appendFile(join(folder, "state.json"), state, { flag: "w" });
    expect((await opened(folder)).state).toEqual({ part: 1, size: 0, stored: 0, bytes: 0 });
  }
});
