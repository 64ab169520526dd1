import { isKindlingError } from "@kindling/core-spec";
import { queueFaults } from "@kindling/admission";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseQueues, readQueues } from "../../../src/config/queues/parse-queues.ts";

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
  const { root } = parseQueues(
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

test("amounts are of all that pods can ask for", () => {
  const text =
    "queues:\n  - { name: a, ceiling: { pods: 9, ephemeral-storage: 1Gi, hugepages-2Mi: 1Gi, amd.com/gpu: 1 } }\n";
  expect(parseQueues(text, "queues.yaml").root.children).toMatchObject([
    { ceiling: { pods: 9, "ephemeral-storage": 2 ** 30, "hugepages-2Mi": 2 ** 30, "amd.com/gpu": 1 } },
  ]);
});

test("queues say which pods are protected, and how many executors may be on spot nodes", () => {
  const text = `queues:
  - { name: a, protect: all, spot: 0.7 }
  - { name: b, protect: none, spot: { share: 1, onDemand: [], fallback: false } }
`;
  expect(parseQueues(text, "queues.yaml").root.children).toMatchObject([
    { name: "a", protect: "all", spot: { share: 0.7, onDemand: ["driver", "minExecutors"], fallback: true } },
    { name: "b", protect: "none", spot: { share: 1, onDemand: [], fallback: false } },
  ]);
});

test.each([
  ["protect: some", "protect is not one of none, drivers, unmovable, all"],
  ["spot: 70", "spot is not a share from 0 to 1"],
  ["spot: { onDemand: [driver] }", "spot is not a share from 0 to 1"],
  ["spot: { share: 1, onDemand: [executors] }", "onDemand of spot is not a list of driver, minExecutors"],
  ["spot: { share: 1, fallback: maybe }", "fallback of spot is neither true nor false"],
  ["spot: { share: 1, most: 4 }", "spot has no most"],
])("%s is refused", (field, message) => {
  expect(faultOf(`queues:\n  - { name: a, ${field} }\n`)).toContain(`queues.yaml:2: ${message}`);
});

test("queues say how many executors are left to their applications, and what these may be asked for", () => {
  const text =
    "queues:\n  - { name: a, floor: 3, preemption: graceful }\n  - { name: b, floor: minimum, preemption: never }\n";
  expect(parseQueues(text, "queues.yaml").root.children).toMatchObject([
    { name: "a", floor: 3, preemption: "graceful" },
    { name: "b", floor: "minimum", preemption: "never" },
  ]);
});

test.each([
  ["queues:\n  - name: a\n    floor: few\n", "queues.yaml:3: floor is neither minimum nor a number of executors"],
  [
    "queues:\n  - name: a\n    floor: 0\n",
    "queues.yaml:3: queue a: floor 0 is neither minimum nor a whole number from 1",
  ],
  ["queues:\n  - name: a\n    preemption: yes\n", "queues.yaml:3: preemption is not one of any, graceful, never"],
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
  ["queues:\n  - name: a\n    ceiling: { cpus: 4 }\n", "queues.yaml:3: ceiling: cpus is no resource that pods ask for"],
  [
    "queues:\n  - name: a\n    guarantee: { memory: 4Gi, vcore: 4 }\n",
    "queues.yaml:3: guarantee: vcore is no resource that pods ask for: there is cpu, memory, ",
  ],
  ["queues:\n  - name: a\n    ceiling: { gpu: 1 }\n", "queues.yaml:3: ceiling: gpu is no resource that pods ask for"],
  ["queues:\n  - name: a\n  - name: b\n  - name: a\n", "queues.yaml:4: there are two queues a"],
  [
    "queues:\n  - name: a\n    children:\n      - name: b\n        guarantee: { cpu: 2 }\n        ceiling: { cpu: 1 }\n",
    "queues.yaml:6: queue a.b: ceiling of cpu: 1 is less than the guarantee, 2",
  ],
  [
    "queues:\n  - name: a\n    namespaces: [Etl]\n",
    "queues.yaml:3: namespaces holds a name that no namespace can have",
  ],
  ["queues:\n  - name: a\n    namespaces: etl\n", "queues.yaml:3: namespaces is neither a list of names nor"],
  ["queues:\n  - name: a\n    namespaces: { matchLabel: {} }\n", "queues.yaml:3: namespaces has matchLabels and"],
  [
    "queues:\n  - name: a\n    namespaces: { matchExpressions: [{ key: a, operator: Is }] }\n",
    "queues.yaml:3: each of matchExpressions has a key, an operator In or NotIn",
  ],
  ["queues:\n  - name: a\n    priority: 5\n", "queues.yaml:3: priority has min, max and default"],
  ["queues:\n  - name: a\n    priority: { most: 5 }\n", "queues.yaml:3: priority has min, max and default"],
  [
    "queues:\n  - name: a\n    priority: { min: 5, max: 4 }\n",
    "queues.yaml:3: queue a: priority: min 5 is above max 4",
  ],
  [
    "queues:\n  - name: a\n    priority: { max: 5 }\n    children:\n      - name: b\n        priority: { default: 6 }\n",
    "queues.yaml:6: queue a.b: priority: default 6 is outside the range up to 5",
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
      return queueFaults(parseQueues(content, "f").root).length === 0;
    } catch (error) {
      return isKindlingError(error) && error.code === "FILE_UNPARSABLE" && /^f:\d+: /.test(error.message);
    }
  };
  expect(fc.check(fc.property(text, isReadOrRefused), { numRuns: 2000 }).counterexample).toBeNull();
});

test.each([
  ["queues:\n  - name: A!\n  - name: b\n", ["b"]],
  ["queues:\n  - { name: a, weight: 2 }\n  - { name: a, weight: 0 }\n", ["a"]],
  ["queues:\n  - { name: a, children: [{ name: b, weight: x }] }\n  - name: c\n", ["c"]],
  ["queues:\n  - { name: a, children: [{ name: b, weight: x }, { name: d }] }\n", ["a"]],
  [
    "queues:\n  - { name: a, guarantee: { cpu: 1 }, children: [{ name: b, guarantee: { cpu: 2 } }] }\n  - name: c\n",
    ["c"],
  ],
  ["queues:\n  - { name: a, namespace: [etl] }\n  - name: c\n", ["c"]],
  ["queues: [\n", []],
])("of %j the part without faults is left", (text, names) => {
  const { root, fault } = readQueues(text, "queues.yaml");
  expect(fault?.code).toBe("FILE_UNPARSABLE");
  expect(root.children.map(({ name }) => name)).toEqual(names);
});

test("what is left of any file can be planned with, or has no queues", () => {
  const field = fc.constantFrom(
    "weight: 0",
    "weight: 2",
    "guarantee: { cpu: 3 }",
    "ceiling: { cpu: 2 }",
    "x: 1",
    "priority: { min: 1, default: 0 }",
  );
  const leaf = fc.record({ name: fc.constantFrom("a", "b", "C!", ""), fields: fc.array(field, { maxLength: 2 }) });
  const flow = ({ name, fields }: { name: string; fields: readonly string[] }, more: string): string =>
    `{ name: "${name}", ${[...new Set(fields)].join(", ")}${more} }`;
  const queue = fc
    .tuple(leaf, fc.array(leaf, { maxLength: 3 }))
    .map(([own, children]) =>
      flow(own, `${own.fields.length > 0 ? "," : ""} children: [${children.map((one) => flow(one, "")).join(", ")}]`),
    );
  fc.assert(
    fc.property(fc.array(queue, { maxLength: 4 }), (queues) => {
      const { root } = readQueues(`queues: [${queues.join(", ")}]`, "f");
      expect(root.children.length === 0 || queueFaults(root).length === 0).toBe(true);
    }),
  );
});
