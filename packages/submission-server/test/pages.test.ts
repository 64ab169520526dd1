import fc from "fast-check";
import { expect, test } from "vitest";
import type { ApplicationRecord } from "../src/applications/application-record.ts";
import { pageOf } from "../src/applications/pages.ts";

const records = fc.uniqueArray(
  fc.record({
    id: fc.stringMatching(/^[a-c]:[a-z]{1,3}$/),
    created: fc.option(fc.constantFrom("2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"), { nil: undefined }),
  }),
  { selector: ({ id }) => id, maxLength: 30 },
) as unknown as fc.Arbitrary<ApplicationRecord[]>;

function allPages(all: readonly ApplicationRecord[], limit: number): string[] {
  const seen: string[] = [];
  let after: string | undefined;
  do {
    const { items, next } = pageOf(all, { limit, after });
    seen.push(...items.map(({ id }) => id));
    after = next;
  } while (after !== undefined);
  return seen;
}

test("pages together have each application once, however long they are", () => {
  fc.assert(
    fc.property(records, fc.integer({ min: 1, max: 7 }), (all, limit) => {
      expect(allPages(all, limit)).toEqual(allPages(all, 1000));
      expect(allPages(all, limit).toSorted()).toEqual(all.map(({ id }) => id).toSorted());
    }),
  );
});

test("what is no token is a place like any other", () => {
  fc.assert(
    fc.property(records, fc.string(), (all, after) => {
      expect(pageOf(all, { limit: 5, after }).items.length).toBeLessThanOrEqual(5);
    }),
  );
});
