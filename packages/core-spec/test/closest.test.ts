import fc from "fast-check";
import { expect, test } from "vitest";
import { closest } from "../src/index.ts";

test.each([
  ["sumbit", "submit"],
  ["lst", "list"],
  ["listen-prot", "listen-port"],
  ["sideways", undefined],
])("%s is probably %s", (word, meant) => {
  expect(closest(word, ["submit", "list", "listen-port", "status"])).toBe(meant);
});

test("a word that is there is itself", () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1 }), fc.nat(), (words, at) => {
      const word = words[at % words.length] ?? "";
      expect(closest(word, words)).toBe(word);
    }),
  );
});
