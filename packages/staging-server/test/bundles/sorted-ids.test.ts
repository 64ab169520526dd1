import fc from "fast-check";
import { expect, it } from "vitest";
import { sortedIds } from "../../src/bundles/sorted-ids.ts";

it("has what was added and not deleted, in order, from anywhere", () => {
  const step = fc.record({ id: fc.string({ maxLength: 3 }), adds: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), fc.string({ maxLength: 3 }), (steps, from) => {
      const ids = sortedIds();
      const expected = new Set<string>();
      for (const { id, adds } of steps) {
        if (adds) ids.add(id);
        else ids.delete(id);
        if (adds) expected.add(id);
        else expected.delete(id);
      }
      const inOrder = [...expected].sort((a, b) => (a < b ? -1 : 1));
      expect([...ids.after(from)]).toEqual(inOrder.filter((id) => id > from));
    }),
  );
});
