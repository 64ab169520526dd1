import { isKindlingError } from "@kindling/core-spec";
import { queueFaults } from "@kindling/scheduler";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseQueues } from "../../src/queues/parse-queues.ts";

function faultOf(text: string): string {
  try {
    parseQueues(text, "queues.yaml");
  } catch (error) {
    if (isKindlingError(error)) return error.message;
    throw error;
  }
  throw new Error("there was no fault");
}

test("queues are read with weights, guarantees, ceilings and children", () => {
  const root = parseQueues(
    `
queues:
  - name: etl
    weight: 2.5
    guarantee: { cpu: 1500m, memory: 64Gi }
    ceiling: { cpu: 4, nvidia.com/gpu: 2 }
    children: [{ name: daily }, { name: hourly, weight: 3 }]
  - name: adhoc
`,
    "queues.yaml",
  );
  const none = { weight: 1, guarantee: {}, ceiling: {}, children: [] };
  expect(root.children).toEqual([
    {
      name: "etl",
      weight: 2.5,
      guarantee: { cpu: 1500, memory: 64 * 1024 ** 3 },
      ceiling: { cpu: 4000, "nvidia.com/gpu": 2 },
      children: [
        { ...none, name: "daily" },
        { ...none, name: "hourly", weight: 3 },
      ],
    },
    { ...none, name: "adhoc" },
  ]);
});

test.each([
  ["", "queues.yaml:1: the file is not a map of names and values"],
  ["queus: []", "queues.yaml:1: the file has no queus: there is queues"],
  ["queues: []", "queues.yaml:1: there is no queue: give at least one"],
  ["queues:\n  etl: {}\n", "queues.yaml:2: queues is not a list"],
  ["queues:\n  - weight: 2\n", "queues.yaml:2: a queue needs a name"],
  ["queues:\n  - name: a.b\n", "queues.yaml:2: a name is made of letters"],
  ["queues:\n  - name: a\n    wieght: 2\n", "queues.yaml:3: a queue has no wieght: there is name, weight"],
  ["queues:\n  - name: a\n    weight: heavy\n", "queues.yaml:3: weight is not a number"],
  ["queues:\n  - name: a\n    weight: 0\n", "queues.yaml:3: queue a: weight 0 is not a number above 0"],
  ["queues:\n  - name: a\n    ceiling:\n      cpu: lots\n", "queues.yaml:4: ceiling of cpu is not an amount"],
  ["queues:\n  - name: a\n    ceiling: { cpu: -1 }\n", "queues.yaml:3: ceiling of cpu is not an amount"],
  ["queues:\n  - name: a\n  - name: b\n  - name: a\n", "queues.yaml:4: there are two queues a"],
  [
    "queues:\n  - name: a\n    children:\n      - name: b\n        guarantee: { cpu: 2 }\n        ceiling: { cpu: 1 }\n",
    "queues.yaml:6: queue a.b: ceiling of cpu: 1 is less than the guarantee, 2",
  ],
  ["queues:\n  - name: *a\n", "queues.yaml:2: "],
  ["queues: [\n", "queues.yaml:2: "],
])("%j is refused with its line", (text, message) => {
  expect(faultOf(text)).toContain(message);
});

test("several faults are told at once, in their order", () => {
  expect(faultOf("queues:\n  - name: a\n    weight: x\n  - nmae: b\n")).toMatch(
    /queues\.yaml:3: weight is not a number; queues\.yaml:4: a queue (?:has no nmae|needs a name)/,
  );
});

test("whatever a file holds, it is read without a contradiction, or refused with a line", () => {
  const line = fc.stringMatching(
    /^ {0,6}(?:- )?(?:queues|name|weight|guarantee|ceiling|children|cpu)?:? ?[\w{}[\]&*!,.-]{0,6}$/,
  );
  const text = fc.oneof(
    fc.string(),
    fc.array(line, { maxLength: 12 }).map((lines) => lines.join("\n")),
  );
  const isReadOrRefused = (content: string): boolean => {
    try {
      return queueFaults(parseQueues(content, "f")).length === 0;
    } catch (error) {
      return isKindlingError(error) && error.code === "FILE_UNPARSABLE" && /^f:\d+: /.test(error.message);
    }
  };
  expect(fc.check(fc.property(text, isReadOrRefused), { numRuns: 2000 }).counterexample).toBeNull();
});
