import { ManualClock, systemClock } from "@kindling/outside";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createWorkQueue, type WorkQueue } from "../src/index.ts";

async function drain(queue: WorkQueue): Promise<string[]> {
  const keys: string[] = [];
  while (queue.size > 0) {
    const key = await queue.get();
    if (key === undefined) break;
    keys.push(key);
    queue.done(key);
  }
  return keys;
}

describe("a work queue", () => {
  test("gives keys in order of arrival, each once", async () => {
    const queue = createWorkQueue(systemClock);
    for (const key of ["a", "b", "a", "c", "b"]) queue.add(key);
    expect(await drain(queue)).toEqual(["a", "b", "c"]);
  });

  test("gives a key that came while it was worked on once more, and not before that is done", async () => {
    const queue = createWorkQueue(systemClock);
    queue.add("a");
    expect(await queue.get()).toBe("a");
    queue.add("a");
    queue.add("a");
    expect([queue.size, queue.busy]).toEqual([0, 1]);
    queue.done("a");
    expect(await drain(queue)).toEqual(["a"]);
  });

  test("hands keys to waiting workers, one each", async () => {
    const queue = createWorkQueue(systemClock);
    const workers = [queue.get(), queue.get()];
    queue.add("a");
    queue.add("b");
    expect(await Promise.all(workers)).toEqual(["a", "b"]);
    expect(queue.size).toBe(0);
  });

  test("knows which keys wait or are worked on", async () => {
    const queue = createWorkQueue(systemClock);
    queue.add("n/a");
    queue.add("n/b");
    await queue.get();
    expect(["n/a", "n/b", "n/c"].map((key) => queue.has(key))).toEqual([true, true, false]);
    queue.done("n/a");
    expect(queue.has("n/a")).toBe(false);
  });

  test("adds later, at the earliest of the times asked for", async () => {
    const clock = new ManualClock();
    const queue = createWorkQueue(clock);
    queue.addAfter("a", 1_000);
    queue.addAfter("a", 500);
    queue.addAfter("a", 2_000);
    queue.addAfter("b", 0);
    expect(await drain(queue)).toEqual(["b"]);
    clock.advanceAtOnce(499);
    expect(queue.size).toBe(0);
    clock.advanceAtOnce(1);
    expect(await drain(queue)).toEqual(["a"]);
    clock.advanceAtOnce(10_000);
    expect(queue.size).toBe(0);
  });

  test("that is shut down lets its workers empty it, and takes nothing more", async () => {
    const clock = new ManualClock();
    const queue = createWorkQueue(clock);
    queue.add("a");
    queue.addAfter("later", 100);
    queue.shutDown();
    queue.add("b");
    expect(await queue.get()).toBe("a");
    queue.done("a");
    expect(await queue.get()).toBeUndefined();
    expect(clock.pending).toBe(0);
  });

  test("that is shut down lets idle workers go", async () => {
    const queue = createWorkQueue(systemClock);
    const worker = queue.get();
    queue.shutDown();
    expect(await worker).toBeUndefined();
  });
});

describe("namespaces in a work queue", () => {
  test("nobody is left out, nobody comes twice, and in each namespace who came first goes first", async () => {
    const keys = fc.array(fc.tuple(fc.constantFrom("a", "b", "c"), fc.nat(20)), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(keys, async (pairs) => {
        const queue = createWorkQueue(systemClock);
        const wanted = [...new Set(pairs.map(([namespace, number]) => `${namespace}/${number}`))];
        for (const [namespace, number] of pairs) queue.add(`${namespace}/${number}`);
        expect(queue.size).toBe(wanted.length);
        const taken = await drain(queue);
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
        const queue = createWorkQueue(systemClock);
        for (const [namespace, count] of Object.entries(wanted)) {
          for (let number = 0; number < count; number++) queue.add(`${namespace}/${number}`);
        }
        const had: Record<string, number> = { a: 0, b: 0, c: 0 };
        for (const key of await drain(queue)) {
          const namespace = key.slice(0, 1);
          had[namespace] = (had[namespace] ?? 0) + 1;
          const waiting = Object.entries(wanted).filter(([other, count]) => (had[other] ?? 0) < count);
          for (const [other] of waiting) expect(had[namespace] - (had[other] ?? 0)).toBeLessThan(2);
        }
      }),
    );
  });
});
