import fc from "fast-check";
import { expect, test } from "vitest";
import type { Flag } from "../../src/flags/flag.ts";
import { parseWords } from "../../src/flags/parse-words.ts";

const FLAGS: readonly Flag[] = [
  { name: "leader-election", kind: "switch", default: "false", doc: "" },
  { name: "namespaces", kind: "list", default: "", doc: "" },
  { name: "cache-sync-timeout", kind: "duration", default: "30s", doc: "" },
];

function written(...words: string[]): Record<string, readonly string[]> {
  return Object.fromEntries(parseWords(words, FLAGS));
}

test.each([
  [["--namespaces=a,b"], { namespaces: ["a,b"] }],
  [["--namespaces", "a"], { namespaces: ["a"] }],
  [["--namespaces=a", "--namespaces", "b"], { namespaces: ["a", "b"] }],
  [["--namespaces="], { namespaces: [""] }],
  [["--namespaces=a=b"], { namespaces: ["a=b"] }],
  [["--namespaces", "--leader-election"], { namespaces: ["--leader-election"] }],
  [["--leader-election"], { "leader-election": ["true"] }],
  [["--leader-election=false"], { "leader-election": ["false"] }],
  [["--leader-election", "--namespaces=a"], { "leader-election": ["true"], namespaces: ["a"] }],
  [["--"], {}],
  [["--namespaces", "--", "--"], { namespaces: ["--"] }],
  [[], {}],
])("%j says what was written", (words, wanted) => {
  expect(written(...words)).toEqual(wanted);
});

test.each([
  [["--namespace=a"], 'there is no flag "--namespace"', "did you mean --namespaces?"],
  [["--executors"], 'there is no flag "--executors"', "kindling-operator help tells all flags"],
  [["--namespaces"], "--namespaces needs a value: names with commas between them", undefined],
  [["--cache-sync-timeout"], "--cache-sync-timeout needs a value: a duration such as 30s or 1h30m", undefined],
  [["--leader-election", "false"], '"false" is no flag', "write --leader-election=false"],
  [["--leader-election=true", "false"], '"false" is no flag', "kindling-operator help tells all flags"],
  [
    ["-namespaces=a"],
    '"-namespaces=a" is no flag',
    "flags begin with two dashes; kindling-operator help tells all flags",
  ],
  [["--=a"], '"--=a" is no flag', "kindling-operator help tells all flags"],
  [["---namespaces"], '"---namespaces" is no flag', "kindling-operator help tells all flags"],
  [["pi"], '"pi" is no flag', "kindling-operator help tells all flags"],
  [["--", "--namespaces=a"], '"--namespaces=a" is no flag', "kindling-operator help tells all flags"],
])("%j is refused", (words, message, hint) => {
  expect(() => written(...words)).toThrow(expect.objectContaining({ code: "ARGUMENT_INVALID", message, hint }));
});

test("values come back as they were written, in whichever form and order", () => {
  const word = fc.record({
    name: fc.constantFrom("namespaces", "cache-sync-timeout"),
    value: fc.string(),
    joined: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(word), (all) => {
      const words = all.flatMap(({ name, value, joined }) => (joined ? [`--${name}=${value}`] : [`--${name}`, value]));
      const wanted: Record<string, string[]> = {};
      for (const { name, value } of all) (wanted[name] ??= []).push(value);
      expect(written(...words)).toEqual(wanted);
    }),
  );
});
