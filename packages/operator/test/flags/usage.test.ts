import { commandHelp } from "@kindling/command-line";
import { expect, test } from "vitest";
import { FLAGS } from "../../src/flags/flag-table.ts";
import { parseFlags } from "../../src/flags/parse-flags.ts";
import { USAGE } from "../../src/flags/usage.ts";

test("the help tells what has an effect", () => {
  const help = commandHelp(USAGE, USAGE.name, { colors: false });
  const told = [...help.matchAll(/^ +--([a-z-]+)/gm)].map(([, name]) => name);
  expect(told).toEqual(FLAGS.flatMap(({ name, withoutEffect }) => (withoutEffect === undefined ? name : [])));
});

test("its examples can be called", () => {
  for (const example of USAGE.examples) expect(() => parseFlags(example.split(" ").slice(3))).not.toThrow();
});
