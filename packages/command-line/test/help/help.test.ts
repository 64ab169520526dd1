import { expect, test } from "vitest";
import { commandHelp, HELP_OPTION, programHelp, type DeclaredCommand, type Program } from "../../src/index.ts";

const PLAIN = { colors: false };
const LIST: DeclaredCommand = {
  name: "list",
  summary: "list things",
  operands: { shown: "[THING]" },
  options: [{ name: "output", short: "o", value: "FORMAT", help: "how" }, { name: "wide", help: "more" }, HELP_OPTION],
  examples: ["things list -o json"],
  load: () => Promise.reject(new Error("the help loads no command")),
};
const THINGS: Program = {
  name: "things",
  about: "Keeps things.",
  commands: [LIST],
  examples: ["things list"],
  exitCodes: [["0", "all is well"]],
};

test("a command's help says what it does, how it is called, and with which flags", () => {
  expect(commandHelp(LIST, "things list", PLAIN)).toBe(`List things.

Usage: things list [flags] [THING]

Flags:
  -o, --output FORMAT  how
      --wide           more
  -h, --help           this text

Examples:
  things list -o json
`);
});

test("a program's help names its commands, those of other packages, and its exit codes", () => {
  expect(programHelp(THINGS, PLAIN, [["count", "runs things-count"]])).toBe(`Keeps things.

Usage: things COMMAND [flags]

Commands:
  list  list things

Commands of other packages:
  count  runs things-count

Flags:
  --help  this text; things COMMAND --help tells of a command

Examples:
  things list

Exit codes:
  0  all is well
`);
});

test("texts that are too long for a column stand below their flags, and no line is wider than a terminal", () => {
  const help = "word ".repeat(60).trim();
  const text = commandHelp({ ...LIST, options: [{ name: "long", help }] }, "things list", PLAIN);
  expect(text).toContain("\n  --long\n      word word");
  expect(text.split("\n").filter((line) => line.length > 100)).toEqual([]);
});

test("titles are bold where there are colours", () => {
  expect(programHelp(THINGS, { colors: true })).toContain("\u001B[1mUsage:\u001B[0m things");
});
