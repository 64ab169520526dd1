import fc from "fast-check";
import { expect, test } from "vitest";
import { HELP_OPTION, parseCommandLine, type CommandLine, type CommandUsage } from "../../src/index.ts";

const USAGE: CommandUsage = {
  name: "list",
  summary: "list things",
  operands: { shown: "THING…", most: 2 },
  options: [
    { name: "output", short: "o", value: "FORMAT", help: "how" },
    { name: "label", short: "l", value: "LABEL", help: "which" },
    { name: "config", value: "FILE", once: true, help: "where" },
    { name: "all", short: "A", help: "all of them" },
    HELP_OPTION,
  ],
  examples: [],
};

const parse = (...argv: string[]): CommandLine => parseCommandLine(USAGE, argv, "kindling list");

test("reads options in every form, and operands between them", () => {
  const line = parse("one", "-o", "json", "--label=a=b", "-l", "c", "-A", "two");
  expect(line.operands).toEqual(["one", "two"]);
  expect([line.value("output"), line.values("label"), line.value("label")]).toEqual(["json", ["a=b", "c"], "c"]);
  expect([line.has("all"), line.has("config"), line.value("config"), line.values("config")]).toEqual([
    true,
    false,
    undefined,
    [],
  ]);
});

test("knows what stands behind --", () => {
  expect(parse("one").behindDashes).toBeUndefined();
  expect(parse("one", "--")).toMatchObject({ operands: ["one"], behindDashes: [] });
  expect(parse("one", "--", "-A")).toMatchObject({ operands: ["one", "-A"], behindDashes: ["-A"] });
});

test.each([
  [["--ouput", "json"], "Unknown option '--ouput'", "did you mean --output?"],
  [["--nothing-like-it"], "Unknown option '--nothing-like-it'", "see kindling list --help"],
  [["-x"], "Unknown option '-x'", "see kindling list --help"],
  [["--output"], "Option '-o, --output <value>' argument missing", "see kindling list --help"],
  [["--all=yes"], "Option '-A, --all' does not take an argument", "see kindling list --help"],
  [["--config", "a", "--config", "b"], "--config is given twice", "see kindling list --help"],
  [["a", "b", "c"], "list takes at most 2 operands: c", "see kindling list --help"],
])("refuses %j", (argv, message, hint) => {
  expect(() => parse(...argv)).toThrow(expect.objectContaining({ code: "ARGUMENT_INVALID", message, hint }));
});

test("a command without operands takes none", () => {
  const { operands: _, ...usage } = USAGE;
  expect(() => parseCommandLine(usage, ["a"], "kindling list")).toThrow("list takes no operands: a");
});

test("takes operands as they are, and the value of an option whatever is in it", () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { maxLength: 2 }), fc.string(), (operands, value) => {
      const line = parse(`--output=${value}`, "--", ...operands);
      expect(line.value("output")).toBe(value);
      expect(line.operands).toEqual(operands);
    }),
  );
});

test("refuses what it does not understand with a message of its own, whatever is given", () => {
  const said = (argv: readonly string[]): unknown => {
    try {
      parse(...argv);
      return "ARGUMENT_INVALID";
    } catch (error) {
      return (error as { code?: unknown }).code;
    }
  };
  fc.assert(
    fc.property(fc.array(fc.string()), (argv) => {
      expect(said(argv)).toBe("ARGUMENT_INVALID");
    }),
  );
});
