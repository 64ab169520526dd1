import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ExecutorSize } from "../../src/healing/executor-size.ts";
import { type Growth, MOST_RAISES, nextSize, type Room } from "../../src/healing/next-size.ts";

const FIRST: ExecutorSize = { heap: 1024, total: 1408, slots: 4 };
const NEW: Growth = { first: FIRST, now: FIRST, raises: 0 };
const ROOM: Room = { most: 3 * FIRST.total, leastSlots: 1 };

/** The sizes that a cause leads to, if each executor dies of it. */
function sizes(cause: "heap" | "direct" | "container", room: Room = ROOM, first = FIRST): ExecutorSize[] {
  const found: ExecutorSize[] = [];
  let growth: Growth = { first, now: first, raises: 0 };
  for (;;) {
    const next = nextSize(cause, growth.now, growth, room);
    if (next.kind !== "grown" && next.kind !== "fewer-tasks") return found;
    found.push(next.size);
    growth = { first, now: next.size, raises: growth.raises + 1 };
  }
}

test("a container grows to 1.5 times, twice and three times its first limit, and its heap stays", () => {
  expect(sizes("container")).toEqual([
    { heap: 1024, total: 2112, slots: 4 },
    { heap: 1024, total: 2816, slots: 4 },
    { heap: 1024, total: 4224, slots: 1 },
  ]);
});

test("a heap grows with its container, and at last takes all that is left", () => {
  expect(sizes("heap")).toEqual([
    { heap: 1536, total: 1920, slots: 4 },
    { heap: 2048, total: 2432, slots: 4 },
    { heap: 3840, total: 4224, slots: 1 },
  ]);
});

test("direct memory grows with the heap that bounds it, and both have room", () => {
  expect(sizes("direct")[0]).toEqual({ heap: 1536, total: 2432, slots: 4 });
  expect(sizes("direct").at(-1)?.total).toBe(4224);
});

test("with more room the steps are larger, so that the last try has all of it", () => {
  const totals = sizes("container", { most: 64 * FIRST.total, leastSlots: 1 }).map(({ total }) => total / FIRST.total);
  expect(totals.map(Math.round)).toEqual([4, 16, 64]);
});

describe("without room", () => {
  test("tasks run one after the other, and then nothing helps", () => {
    expect(sizes("heap", { most: 1500, leastSlots: 2 })).toEqual([{ ...FIRST, slots: 2 }]);
  });

  test("the largest that fits comes first", () => {
    expect(sizes("container", { most: 2000, leastSlots: 1 })).toEqual([
      { heap: 1024, total: 2000, slots: 4 },
      { heap: 1024, total: 2000, slots: 1 },
    ]);
  });

  test("an executor with one task at a time cannot be helped", () => {
    expect(sizes("heap", { most: 1408, leastSlots: 1 }, { ...FIRST, slots: 1 })).toEqual([]);
  });
});

describe("executors that were made before the last change", () => {
  const now = { heap: 1536, total: 1920, slots: 4 };
  const growth: Growth = { first: FIRST, now, raises: 1 };

  test("say nothing new if the same part was too small", () => {
    expect(nextSize("heap", FIRST, growth, ROOM)).toEqual({ kind: "known" });
    expect(nextSize("container", FIRST, growth, ROOM)).toEqual({ kind: "known" });
  });

  test("say something new if another part was too small", () => {
    const ofContainer: Growth = { first: FIRST, now: { heap: 1024, total: 2112, slots: 4 }, raises: 1 };
    expect(nextSize("heap", FIRST, ofContainer, ROOM)).toEqual({
      kind: "grown",
      size: { heap: 2048, total: 3136, slots: 4 },
    });
  });

  test("say nothing new if they run more tasks at a time", () => {
    const alone: Growth = { first: FIRST, now: { ...FIRST, slots: 1 }, raises: 3 };
    expect(nextSize("heap", FIRST, alone, ROOM)).toEqual({ kind: "known" });
  });
});

test("an executor that was made larger in place leads to one that is larger than that", () => {
  const resized = { ...FIRST, total: 2400 };
  const next = nextSize("container", resized, NEW, ROOM);
  expect(next).toEqual({ kind: "grown", size: { heap: 1024, total: 3000, slots: 4 } });
});

test("whatever ends executors, they only grow, stay in their room, and there is an end", () => {
  const cause = fc.constantFrom("heap" as const, "direct" as const, "container" as const);
  const first = fc
    .record({
      heap: fc.integer({ min: 1, max: 100_000 }),
      overhead: fc.integer({ min: 1, max: 100_000 }),
      slots: fc.integer({ min: 1, max: 64 }),
    })
    .map(({ heap, overhead, slots }) => ({ heap, total: heap + overhead, slots }));
  const room = fc.record({ most: fc.integer({ min: 1, max: 10_000_000 }), leastSlots: fc.integer({ min: 1, max: 8 }) });
  fc.assert(
    fc.property(
      fc.array(cause, { minLength: 12, maxLength: 12 }),
      first,
      room,
      (causes, size, { most, leastSlots }) => {
        let growth: Growth = { first: size, now: size, raises: 0 };
        let changes = 0;
        for (const one of causes) {
          const next = nextSize(one, growth.now, growth, { most, leastSlots });
          if (next.kind !== "grown" && next.kind !== "fewer-tasks") continue;
          changes += 1;
          const { heap, total, slots } = next.size;
          expect(heap).toBeGreaterThanOrEqual(growth.now.heap);
          expect(total).toBeGreaterThanOrEqual(growth.now.total);
          expect(total).toBeLessThanOrEqual(Math.max(most, size.total));
          expect(total - heap).toBeGreaterThanOrEqual(growth.now.total - growth.now.heap);
          expect(slots).toBeGreaterThanOrEqual(Math.min(size.slots, leastSlots));
          growth = { first: size, now: next.size, raises: growth.raises + 1 };
        }
        expect(changes).toBeLessThanOrEqual(MOST_RAISES + 1);
      },
    ),
  );
});
