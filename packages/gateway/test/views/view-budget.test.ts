import fc from "fast-check";
import { expect, test } from "vitest";
import { ViewBudget } from "../../src/views/view-budget.ts";

const MOST = 100;
const happening = fc.record({
  name: fc.constantFrom("a", "b", "c", "d"),
  size: fc.nat(MOST),
  isDeleted: fc.boolean(),
});

test("what is there never takes more than there is room for, and all is taken that there is room for", () => {
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 50 }), (history) => {
      const there = new Map<string, number>();
      const budget = new ViewBudget(MOST, (key) => there.has(key));
      for (const { name, size, isDeleted } of history) {
        if (isDeleted) {
          there.delete(name);
          continue;
        }
        const others = [...there].filter(([other]) => other !== name).reduce((sum, [, kept]) => sum + kept, 0);
        const isTaken = budget.take(name, size);
        expect(isTaken).toBe(others + size <= MOST);
        if (isTaken) there.set(name, size);
      }
    }),
  );
});
