import { systemClock } from "@kindling/outside";
import { eventually } from "@kindling/test-kit/eventually";
import fc from "fast-check";
import { expect, test } from "vitest";
import { FairTurns } from "../../src/controllers/fair-turns.ts";
import { startLanes } from "../../src/controllers/lanes.ts";

/** All that wait, in the order in which they are taken. */
async function drained(turns: FairTurns): Promise<string[]> {
  const keys: string[] = [];
  while (turns.size > 0) keys.push((await turns.get()) ?? "");
  return keys;
}

test("a single submission of one namespace is not behind a thousand of another", async () => {
  const submitted: string[] = [];
  const lanes = startLanes({
    clock: systemClock,
    workers: { states: 1, submissions: 1 },
    look: async () => "submit",
    submit: async (key) => {
      // As long as it takes to see all that is there.
      await eventually(() => expect(lanes.waiting.states).toBe(0));
      submitted.push(key);
    },
    onFault: (_key, error) => {
      throw error;
    },
  });
  for (let number = 0; number < 1_000; number++) lanes.add(`busy/app-${number}`);
  lanes.add("quiet/app");
  await eventually(() => expect(submitted).toContain("quiet/app"));
  expect(submitted.indexOf("quiet/app")).toBeLessThan(3);
  await lanes.stop();
});

test("nobody is left out, nobody comes twice, and in each namespace who came first goes first", async () => {
  const keys = fc.array(fc.tuple(fc.constantFrom("a", "b", "c"), fc.nat(20)), { maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(keys, async (pairs) => {
      const turns = new FairTurns();
      const wanted = [...new Set(pairs.map(([namespace, number]) => `${namespace}/${number}`))];
      for (const [namespace, number] of pairs) turns.add(`${namespace}/${number}`);
      expect(turns.size).toBe(wanted.length);
      const taken = await drained(turns);
      for (const namespace of ["a", "b", "c"]) {
        const own = (all: readonly string[]): string[] => all.filter((key) => key.startsWith(`${namespace}/`));
        expect(own(taken)).toEqual(own(wanted));
      }
    }),
  );
});

test("while a namespace waits, no other has two more turns than it", async () => {
  const counts = fc.record({ a: fc.nat(20), b: fc.nat(20), c: fc.nat(20) });
  await fc.assert(
    fc.asyncProperty(counts, async (wanted) => {
      const turns = new FairTurns();
      for (const [namespace, count] of Object.entries(wanted)) {
        for (let number = 0; number < count; number++) turns.add(`${namespace}/${number}`);
      }
      const had: Record<string, number> = { a: 0, b: 0, c: 0 };
      for (const key of await drained(turns)) {
        const namespace = key.slice(0, 1);
        had[namespace] = (had[namespace] ?? 0) + 1;
        const waiting = Object.entries(wanted).filter(([other, count]) => (had[other] ?? 0) < count);
        for (const [other] of waiting) expect(had[namespace] - (had[other] ?? 0)).toBeLessThan(2);
      }
    }),
  );
});

test("after the end, those that wait are still taken, and then there is nothing", async () => {
  const turns = new FairTurns();
  turns.add("a/1");
  turns.shutDown();
  turns.add("a/2");
  expect(await turns.get()).toBe("a/1");
  expect(await turns.get()).toBeUndefined();
  const others = new FairTurns();
  const taken = others.get();
  others.shutDown();
  expect(await taken).toBeUndefined();
});
