import fc from "fast-check";
import { expect, test } from "vitest";
import { Lines } from "../../src/runs/lines.ts";

const rows = fc.integer({ min: 0, max: 20 });
const line = fc.oneof(
  { weight: 20, arbitrary: fc.string() },
  { weight: 1, arbitrary: fc.integer({ min: 300_000, max: 1_200_000 }).map((length) => "x".repeat(length)) },
);

test("a row has the line that was set last, whatever happens to others", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(rows, fc.option(line, { nil: undefined })), { maxLength: 60 }), (changes) => {
      const lines = new Lines();
      const expected = new Map<number, string>();
      for (const [row, text] of changes) {
        if (text === undefined) {
          lines.clear(row);
          expected.delete(row);
        } else {
          lines.set(row, Buffer.from(text));
          expected.set(row, text);
        }
      }
      const found = Array.from({ length: 21 }, (_, row) => lines.at(row)?.toString("utf8"));
      expect(found).toEqual(Array.from({ length: 21 }, (_, row) => expected.get(row)));
    }),
  );
});
