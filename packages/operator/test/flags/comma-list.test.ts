import fc from "fast-check";
import { expect, test } from "vitest";
import { readCommaList } from "../../src/flags/comma-list.ts";

// The results of pflag v1.0.10.
test.each([
  ["", []],
  ['""', [""]],
  ["a", ["a"]],
  ["a,b", ["a", "b"]],
  ["a,", ["a", ""]],
  [",", ["", ""]],
  ["a, b", ["a", " b"]],
  ['"a,b",c', ["a,b", "c"]],
  ['"a""b"', ['a"b']],
  ['a"b', undefined],
  ['"a', undefined],
  ['"a"b', undefined],
  [' "a"', undefined],
])("%j is %j", (text, list) => {
  expect(readCommaList(text)).toEqual(list);
});

test("whatever is written in quotes is read again", () => {
  const entries = fc.array(fc.string({ unit: fc.constantFrom(...Array.from('a",b ')) }), { minLength: 1 });
  fc.assert(
    fc.property(entries, (list) => {
      const text = list.map((entry) => `"${entry.replaceAll('"', '""')}"`).join(",");
      expect(readCommaList(text)).toEqual(list);
    }),
  );
});
