import fc from "fast-check";
import { expect, test } from "vitest";
import type { ApplicationRecord } from "../src/applications/application-record.ts";
import { pageOf, placeOf } from "../src/applications/pages.ts";

const records = fc.uniqueArray(
  fc.record({
    id: fc.stringMatching(/^[a-c]:[a-z]{1,3}$/),
    created: fc.option(fc.constantFrom("2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"), { nil: undefined }),
  }),
  { selector: ({ id }) => id, maxLength: 30 },
) as unknown as fc.Arbitrary<ApplicationRecord[]>;

function allPages(all: readonly ApplicationRecord[], limit: number): string[] {
  const seen: string[] = [];
  for (let page = pageOf(all, { limit, after: undefined }); ;) {
    seen.push(...page.items.map(({ id }) => id));
    if (page.next === undefined) return seen;
    const after = placeOf(page.next);
    if (after === undefined) throw new Error(`${page.next} is what a page said`);
    page = pageOf(all, { limit, after });
  }
}

test("pages together have each application once, however long they are", () => {
  fc.assert(
    fc.property(records, fc.integer({ min: 1, max: 7 }), (all, limit) => {
      expect(allPages(all, limit)).toEqual(allPages(all, 1000));
      expect(allPages(all, limit).toSorted()).toEqual(all.map(({ id }) => id).toSorted());
    }),
  );
});

test("what no page has told is no place", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      fc.pre(!/^\S* [a-z0-9-]+:[a-z0-9.-]+$/.test(Buffer.from(text, "base64url").toString("utf8")));
      expect(placeOf(text)).toBeUndefined();
    }),
  );
});
