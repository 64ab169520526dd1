import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isKindlingError } from "@kindling/core-spec";
import { parseYaml } from "../../src/yaml/parse-yaml.ts";
import { caughtFrom } from "@kindling/test-kit/caught";

const ORIGIN = "spark.kubernetes.driver.podTemplateFile: /t.yaml";
const parse = (text: string): unknown => parseYaml(text, ORIGIN);
const fault = (text: string): string => {
  const error = caughtFrom(() => parse(text));
  expect(error.code).toBe("TEMPLATE_INVALID");
  expect(error.message).not.toContain("\n");
  return error.message.replace(`${ORIGIN}: `, "");
};

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
    ".inf",
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

describe("fields have the types that Kubernetes has for them", () => {
  test("texts, also where the file has numbers and words", () => {
    const text = `
      metadata:
        labels: { a: 1, b: true, c: 1.10, d: yes, e: null }
        annotations: { version: 3.50 }
      spec:
        nodeSelector: { zone: 12 }
        containers:
          - name: 7
            env: [{ name: A, value: 1 }, { name: B, value: true }, { name: C, value: 1.50 }, { name: D, value: 1e3 }]
            args: [1, 2.0, false, x]
            command: [42]
        tolerations: [{ key: 1, operator: Exists, effect: NoSchedule, value: 5 }]
    `;
    expect(parse(text)).toEqual({
      metadata: { labels: { a: "1", b: "true", c: "1.1", d: "yes" }, annotations: { version: "3.5" } },
      spec: {
        nodeSelector: { zone: "12" },
        containers: [
          {
            name: "7",
            env: [
              { name: "A", value: "1" },
              { name: "B", value: "true" },
              { name: "C", value: "1.5" },
              { name: "D", value: "1000.0" },
            ],
            args: ["1", "2.0", "false", "x"],
            command: ["42"],
          },
        ],
        tolerations: [{ key: "1", operator: "Exists", effect: "NoSchedule", value: "5" }],
      },
    });
  });

  test("quantities", () => {
    expect(parse("resources: { limits: { cpu: 2, memory: 1Gi }, requests: { cpu: 0.50, x/y: 1e1 } }")).toEqual({
      resources: { limits: { cpu: "2", memory: "1Gi" }, requests: { cpu: "0.5", "x/y": "10.0" } },
    });
  });

  test("numbers and booleans, also where the file has texts", () => {
    expect(parse("ports: [{ containerPort: '80' }]\nrunAsUser: \"0\"\nhostNetwork: 'true'\nstdin: false")).toEqual({
      ports: [{ containerPort: 80 }],
      runAsUser: 0,
      hostNetwork: true,
      stdin: false,
    });
  });

  test.each([["0644"], ["'0644'"], ["0o644"], ["420"], ["'420'"]])("a file mode of %s is 420", (mode) => {
    expect(parse(`a: { defaultMode: ${mode} }\nb: [{ mode: ${mode} }]`)).toEqual({
      a: { defaultMode: 420 },
      b: [{ mode: 420 }],
    });
  });

  test.each([
    [
      "spec: { containers: [{ ports: [{ containerPort: http }] }] }",
      'spec.containers[0].ports[0].containerPort: "http" is not a whole number',
    ],
    ["spec: { hostNetwork: yes }", 'spec.hostNetwork: "yes" is neither true nor false'],
    [
      "spec: { volumes: [{ secret: { defaultMode: rw } }] }",
      'spec.volumes[0].secret.defaultMode: "rw" is not a whole number',
    ],
    ["metadata: { labels: { a: [1] } }", "metadata.labels.a is not a text"],
  ])("%s is refused with the path: %s", (text, message) => {
    expect(fault(text)).toBe(message);
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
    expect(fault(bomb.join("\n"))).toMatch(/alias/i);
    expect(fault("a: &a\n  b: *a\n")).toMatch(/alias/);
  });
});

describe("a file with a fault is refused with line and column", () => {
  test.each([
    ["spec:\n  containers:\n  - name: a\n\timage: b\n", "line 4, column 1: Tabs are not allowed as indentation"],
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
    ["---\n", "the file holds no object"],
    ["- a\n- b\n", "the file holds no object"],
    ["just text", "the file holds no object"],
    ["a: 1\n---\nb: 2\n", "the file holds 2 documents instead of one"],
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
