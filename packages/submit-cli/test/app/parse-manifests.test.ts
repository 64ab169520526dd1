import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { parseManifests } from "../../src/commands/app/parse-manifests.ts";

const fieldsIn = (text: string): unknown[] => parseManifests(text, "objects.yaml").map(({ fields }) => fields);

describe("objects of a file", () => {
  test("are read alike from YAML, JSON and lists", () => {
    // The writer leaves a key `<<` unquoted, so it merges maps in YAML 1.1.
    const value = fc
      .jsonValue({ maxDepth: 3, noUnicodeString: true })
      .filter((drawn) => !JSON.stringify(drawn).includes('"<<":'));
    const object = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), value);
    fc.assert(
      fc.property(fc.array(object, { minLength: 1, maxLength: 3 }), (drawn) => {
        const objects = drawn.map((fields) => ({ ...fields, kind: "SparkApplication" }));
        const plain = JSON.parse(JSON.stringify(objects)) as object[];
        const yaml = plain.map((one) => stringify(one, { version: "1.1" })).join("---\n");
        expect(fieldsIn(yaml)).toEqual(plain);
        expect(fieldsIn(JSON.stringify({ kind: "List", items: plain }))).toEqual(plain);
      }),
      { numRuns: 40 },
    );
  });

  test("have Kubernetes' types: YAML 1.1 without times", () => {
    expect(fieldsIn("a: yes\nb: 0644\nc: 2026-01-01\nd: 1:30\ne: ~\nf: &x {g: 1}\nh: {<<: *x}\n")).toEqual([
      { a: true, b: 0o644, c: "2026-01-01", d: "1:30", e: null, f: { g: 1 }, h: { g: 1 } },
    ]);
  });

  test("stand where messages say, and empty documents are none", () => {
    const origins = parseManifests("---\n# nothing\n---\na: 1\n---\n{kind: List, items: [{b: 1}]}\n", "o.yaml");
    expect(origins.map(({ origin }) => origin)).toEqual(["o.yaml, document 2", "o.yaml, document 3, item 1"]);
  });

  test.each([
    ["nothing", "", /there is no object in it/],
    ["no YAML", "a: b: c\n", /Nested mappings/],
    ["levels without end", "[".repeat(100_000), /nested too deeply/],
    ["lists in lists", "- ".repeat(50_000), /nested too deeply/],
    ["aliases that multiply", bomb(), /alias/],
    ["a template whose value is a map", "spec:\n  instances: {{ params.n }}\n", /a key is a map or a list at line 2/],
    ["a map as a key", "? {a: 1}\n: 2\n", /a key is a map or a list at line 1/],
  ])("are refused: %s", (_, text, problem) => {
    expect(() => parseManifests(text, "o.yaml")).toThrow(problem);
  });
});

test.each(["a: {{ n }}\n", "{{- if .Values.x }}\na: 1\n{{- end }}\n", "{% if x %}\na: 1\n{% endif %}\n"])(
  "a template is told to be rendered first: %j",
  (text) => {
    const hint = expect.stringContaining("looks like a template");
    expect(() => parseManifests(text, "o.yaml")).toThrow(expect.objectContaining({ hint }));
  },
);

describe("a key that stands twice", () => {
  const read = (text: string): { fields: unknown; told: string[] } => {
    const told: string[] = [];
    const [{ fields } = {}] = parseManifests(text, "o.yaml", (notice) => void told.push(notice));
    return { fields, told };
  };

  test.each<[string, string, object, string[]]>([
    [
      "in a map",
      "a: 1\nb: 2\na: 3\n",
      { a: 3, b: 2 },
      ["o.yaml: a stands twice, on lines 1 and 3; the last one counts"],
    ],
    [
      "with quotes and without, three times",
      'spec:\n  sparkConf:\n    "spark.a": "1"\n    spark.a: "2"\n    spark.a: "3"\n',
      { spec: { sparkConf: { "spark.a": "3" } } },
      ['o.yaml: spec.sparkConf["spark.a"] stands 3 times, on lines 3, 4 and 5; the last one counts'],
    ],
    [
      "in a list, as a map",
      "c:\n- {e: {x: 1}, e: {z: 2}}\n",
      { c: [{ e: { z: 2 } }] },
      ["o.yaml: c.e stands twice, on line 2; the last one counts"],
    ],
    [
      "in JSON",
      '{"a": {"b": 1,\n "b": 2}}',
      { a: { b: 2 } },
      ["o.yaml: a.b stands twice, on lines 1 and 2; the last one counts"],
    ],
    ["in two objects", "a: {x: 1}\nb: {x: 1}\n", { a: { x: 1 }, b: { x: 1 } }, []],
    [
      "as a merge",
      "p: &p {x: 1}\nq: &q {z: 1}\nr: {<<: *p, <<: *q}\n",
      { p: { x: 1 }, q: { z: 1 }, r: { x: 1, z: 1 } },
      [],
    ],
  ])("has its last value, as with kubectl, and is told of: %s", (_, text, fields, told) => {
    expect(read(text)).toEqual({ fields, told });
  });
});

function bomb(): string {
  const levels = Array.from({ length: 12 }, (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at},`.repeat(9)}]\n`);
  return `a0: &a0 [x]\n${levels.join("")}`;
}
