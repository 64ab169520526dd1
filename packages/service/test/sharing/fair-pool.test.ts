import fc from "fast-check";
import { expect, it } from "vitest";
import { fairPool } from "../../src/sharing/fair-pool.ts";

it.each([
  [2, 60, 40],
  [2, 512, 342],
  [2, 3, 2],
  [2, 1, 1],
  [1, 20, 10],
  [1, 1, 1],
])("with a factor of %i, gives one client alone of %i places %i", (factor, total, most) => {
  const pool = fairPool({ total, factor });
  let taken = 0;
  while (pool.take("a") !== undefined) taken++;
  expect(taken).toBe(most);
});

it("always has something for a newcomer, as long as there are more places than clients", () => {
  const take = fc.record({ client: fc.integer({ min: 0, max: 5 }), gives: fc.boolean() });
  fc.assert(
    fc.property(fc.array(take, { maxLength: 300 }), fc.integer({ min: 300, max: 600 }), (steps, total) => {
      const pool = fairPool({ total, factor: 2 });
      const held: (() => void)[] = [];
      for (const { client, gives } of steps) {
        if (gives) held.pop()?.();
        else {
          const release = pool.take(`client ${client}`);
          if (release !== undefined) held.push(release);
        }
        expect(pool.held).toBe(held.length);
        expect(pool.hasRoomFor("newcomer")).toBe(true);
      }
    }),
  );
});

it("shares amounts as it shares places, and takes back each once", () => {
  const pool = fairPool({ total: 1000, factor: 1 });
  expect(pool.take("a", 600)).toBeUndefined();
  const release = pool.take("a", 500);
  expect(pool.take("a", 10)).toBeUndefined();
  expect(pool.take("b", 250)).toBeDefined();
  release?.();
  release?.();
  expect(pool.held).toBe(250);
});
