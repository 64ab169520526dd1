import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isKindlingError, sparkVersionOf, type TemplateKind } from "@kindling/core-spec";
import { parseYaml } from "../../src/pod-templates/parse-yaml.ts";
import { caughtFrom } from "@kindling/test-kit/caught";

const ORIGIN = "spark.kubernetes.driver.podTemplateFile: /t.yaml";
const parse = (text: string, kind?: TemplateKind, version = "4.3.0"): unknown =>
  parseYaml(text, ORIGIN, kind, sparkVersionOf(version));
const fault = (text: string, kind?: TemplateKind): string => {
  const error = caughtFrom(() => parse(text, kind));
  expect(error.code).toBe("TEMPLATE_INVALID");
  expect(error.message).not.toContain("\n");
  return error.message.replace(`${ORIGIN}: `, "");
};
const faultOf = (text: string): string => fault(text, "Pod");

describe("words that only YAML 1.1 knows are texts", () => {
  test.each([
    "yes",
    "no",
    "on",
    "off",
    "True",
    "FALSE",
    "~",
    "Null",
    "0644",
    "0x1F",
    "0o17",
    "1_000",
    "+1",
    ".5",
    "-.Inf",
    "2001-01-01",
  ])("%s", (word) => {
    expect(parse(`field: ${word}`)).toEqual({ field: word });
  });
});

describe("JSON's words are what they are in JSON", () => {
  test.each([
    ["true", true],
    ["false", false],
    ["0", 0],
    ["-17", -17],
    ["1.5", 1.5],
    ["1e3", 1000],
    ["2E-2", 0.02],
    ['"1"', "1"],
    ["'1'", "1"],
    ["[1, a]", [1, "a"]],
    ["{a: {b: 1}}", { a: { b: 1 } }],
  ])("%s", (word, value) => {
    expect(parse(`field: ${word}`)).toEqual({ field: value });
  });

  test("nulls, and members without a value, are left out", () => {
    expect(parse("a: null\nb:\nc: {d: null}\ne: ''")).toEqual({ c: {}, e: "" });
  });

  test("any JSON object without nulls comes back as it is, where its fields are none of Kubernetes'", () => {
    const key = fc.string({ minLength: 1, maxLength: 8 }).map((text) => `x${text}`);
    const leaf = fc.oneof(fc.string(), fc.boolean(), fc.integer());
    const { object } = fc.letrec((tie) => ({
      object: fc.dictionary(key, fc.oneof({ depthSize: "small" }, leaf, tie("object"), fc.array(leaf))),
    }));
    fc.assert(
      fc.property(object, (value) => {
        expect(parse(JSON.stringify(value))).toEqual(value);
      }),
    );
  });
});

describe("documents", () => {
  test.each(["---\na: 1\n", "---\n---\na: 1\n", "a: 1\n---\n", "a: 1\n---\n# nothing\n", "a: 1\n...\n---\nnull\n"])(
    "that hold nothing are passed over: %j",
    (text) => {
      expect(parse(text)).toEqual({ a: 1 });
    },
  );

  test("of JSON end with their brace, and a member named twice is its last value", () => {
    expect(parse('{"a": 1, "b": {"c": 1}, "b": {"d": 2}}\n{}')).toEqual({ a: 1, b: { d: 2 } });
  });
});

describe("characters", () => {
  test("a carriage return alone ends a line", () => {
    expect(parse("a: 1\rb:\r- c\r")).toEqual({ a: 1, b: ["c"] });
  });

  test("a no-break space is no blank", () => {
    expect(parse("a: \u00A0b")).toEqual({ a: "\u00A0b" });
    expect(faultOf("spec: { hostNetwork: \u00A0true }")).toContain("is neither true nor false");
  });

  test("tabs are no blanks but behind a text or, from Spark 4.1 on, between brackets", () => {
    expect(parse("a: b\t# c\n")).toEqual({ a: "b" });
    expect(parse("a: {\n\tb: 1 }\n")).toEqual({ a: { b: 1 } });
    expect(() => parse("a: {\n\tb: 1 }\n", "Pod", "3.5.9")).toThrow("line 2, column 1: there is a tab");
    expect(fault("a:\tb\n")).toBe("line 1, column 3: there is a tab where only blanks may stand");
  });

  test("a block text keeps its end where the file ends in it", () => {
    expect(parse("a: |\n  x\n  y")).toEqual({ a: "x\ny" });
  });
});

describe("anchors", () => {
  test("stand for what they name", () => {
    expect(parse("a: &x { b: [1] }\nc: *x\nd: [*x]")).toEqual({ a: { b: [1] }, c: { b: [1] }, d: [{ b: [1] }] });
  });

  test("that are not there are refused with line and column", () => {
    expect(fault("a: 1\nb: [2, *gone]\n")).toBe("line 2, column 8: there is no anchor &gone before this alias");
  });

  test("that multiply, or hold themselves, are refused", () => {
    const bomb = "abcdefgh".split("").map(
      (name, index, all) =>
        `${name}: &${name} [${Array(9)
          .fill(index === 0 ? "x" : `*${all[index - 1]}`)
          .join(",")}]`,
    );
    expect(fault(bomb.join("\n"))).toContain("there are more than 150000 values");
    expect(fault("a: &a\n  b: *a\n")).toMatch(/alias/);
  });
});

describe("a file with a fault is refused with line and column", () => {
  test.each([
    ["spec:\n  containers:\n  - name: a\n\timage: b\n", "line 4, column 1: there is a tab where only blanks may stand"],
    ["a: 1\nb: 2\na: 3\n", "line 3, column 1: Map keys must be unique"],
    ["a:\n  b: c: d\n", "line 2, column 6: Nested mappings are not allowed"],
    ["a: 'open\n", "line 2, column 1: Missing closing 'quote"],
    ["a: [1,\nb: 2\n", "line 2, column 1: "],
    ['{"a": "\\x"}', "line 1, column 8: Invalid escape sequence"],
  ])("%j: %s", (text, message) => {
    expect(fault(text)).toContain(message);
  });

  test.each([
    ["", "the file is empty"],
    ["# nothing\n", "the file is empty"],
    ["---\n", "the file is empty"],
    ["- a\n- b\n", "the file holds no object"],
    ["just text", "the file holds no object"],
    ["a: 1\n---\nb: 2\n", "the file holds 2 objects instead of one"],
  ])("%j: %s", (text, message) => {
    expect(fault(text)).toBe(message);
  });

  test("and whatever the file holds, the error is made for the user", () => {
    const snippet = fc.constantFrom(
      "a",
      ": ",
      "- ",
      "\n",
      "  ",
      "{",
      "}",
      "[",
      "]",
      "&a ",
      "*a ",
      "!",
      "|",
      ">",
      "'",
      '"',
      "#",
      "---\n",
      "%",
      "? ",
      ",",
      "\t",
      "labels:",
      "0644",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(snippet, { maxLength: 25 }).map((parts) => parts.join("")),
          fc.string({ unit: "binary" }),
        ),
        (text) => {
          try {
            parse(text);
          } catch (error) {
            if (!isKindlingError(error) || error.code !== "TEMPLATE_INVALID") throw error;
          }
        },
      ),
      { numRuns: 200 },
    );
    expect(fault("[".repeat(2000))).toMatch(/^line 1, column \d+: /);
  });
});

test("documents may have marks around them, and one document may be in braces", () => {
  expect(parse("---\na: 1\n...\n")).toEqual({ a: 1 });
  expect(parse("\uFEFFa: 1\n")).toEqual({ a: 1 });
  expect(parse("{a: 1, b: [2]}")).toEqual({ a: 1, b: [2] });
});
