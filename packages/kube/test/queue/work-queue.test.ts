import { describe, expect, test } from "vitest";
import { createWorkQueue, perKeyBackoff, type WorkQueue } from "../../src/index.ts";
import { ManualClock } from "@kindling/outside";

async function drain(queue: WorkQueue<string>): Promise<string[]> {
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
    const queue = createWorkQueue<string>();
    for (const key of ["a", "b", "a", "c", "b"]) queue.add(key);
    expect(await drain(queue)).toEqual(["a", "b", "c"]);
  });

  test("gives a key that came while it was worked on once more, and not before that is done", async () => {
    const queue = createWorkQueue<string>();
    queue.add("a");
    expect(await queue.get()).toBe("a");
    queue.add("a");
    queue.add("a");
    expect(queue.size).toBe(0);
    queue.done("a");
    expect(await drain(queue)).toEqual(["a"]);
  });

  test("hands keys to waiting workers, one each", async () => {
    const queue = createWorkQueue<string>();
    const workers = [queue.get(), queue.get()];
    queue.add("a");
    queue.add("b");
    expect(await Promise.all(workers)).toEqual(["a", "b"]);
    expect(queue.size).toBe(0);
  });

  test("adds later, at the earliest of the times asked for", async () => {
    const clock = new ManualClock();
    const queue = createWorkQueue<string>({ clock });
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

  test("lets a key wait longer with each failure, until it is forgotten", () => {
    const clock = new ManualClock();
    const queue = createWorkQueue<string>({ clock, rateLimiter: perKeyBackoff(100, 350) });
    const waits = [100, 200, 350, 350].map((expected) => {
      queue.addRateLimited("a");
      clock.advanceAtOnce(expected - 1);
      const early = queue.size;
      clock.advanceAtOnce(1);
      const due = queue.size;
      void queue.get();
      queue.done("a");
      return [early, due];
    });
    expect(waits).toEqual([
      [0, 1],
      [0, 1],
      [0, 1],
      [0, 1],
    ]);
    expect(queue.failures("a")).toBe(4);
    queue.forget("a");
    expect(queue.failures("a")).toBe(0);
  });

  test("holds a flood of different keys back, after a burst", () => {
    const clock = new ManualClock();
    const queue = createWorkQueue<string>({ clock });
    for (let index = 0; index < 150; index++) queue.addRateLimited(`key-${index}`);
    clock.advanceAtOnce(10);
    expect(queue.size).toBe(100);
    clock.advanceAtOnce(1_000);
    expect(queue.size).toBe(110);
    clock.advanceAtOnce(4_000);
    expect(queue.size).toBe(150);
  });

  test("that is shut down lets its workers empty it, and takes nothing more", async () => {
    const clock = new ManualClock();
    const queue = createWorkQueue<string>({ clock });
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
    const queue = createWorkQueue<string>();
    const worker = queue.get();
    queue.shutDown();
    expect(await worker).toBeUndefined();
  });
});
