import { type NodeClass, readResources, type Resources } from "@kindling/admission";
import { isScalar, isSeq, type Node } from "yaml";
import { readAmount } from "./read-amount.ts";
import { harmless, type YamlReader } from "./yaml-reader.ts";

/** A class of nodes that the administrator has written down, for autoscalers that do not tell what they may add. */
export interface ConfiguredClass {
  readonly name: string;
  /** How many of its nodes there may be. */
  readonly max: number;
  /** What one node has for drivers and executors. */
  readonly node: Resources;
  /** A node with all of these labels is one of the class. */
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: NodeClass["taints"];
}

const FIELDS = ["class", "max", "cpu", "memory", "resources", "labels", "taints"];
const TAINT_FIELDS = ["key", "value", "effect"];
const EFFECTS = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

/**
 * Reads the list `nodes` of the file of queues: the classes of nodes that an autoscaler may add and does not tell of.
 *
 *     nodes:
 *       - class: spark-r
 *         max: 20
 *         cpu: 15
 *         memory: 120Gi
 *         resources: { nvidia.com/gpu: 1 }
 *         labels: { pool: spark-r }
 *         taints: [{ key: spark, effect: NoSchedule }]
 *
 * Amounts are what one node has for drivers and executors. A class with a fault is left out.
 */
export function readNodeClasses(node: Node, yaml: YamlReader): readonly ConfiguredClass[] {
  if (!isSeq<Node>(node)) {
    yaml.fault(node, "nodes is not a list");
    return [];
  }
  const names = new Set<string>();
  return node.items.flatMap((item) => {
    const before = yaml.faults.length;
    const read = readNodeClass(item, yaml);
    if (read === undefined || yaml.faults.length > before) return [];
    if (names.has(read.name)) yaml.fault(item, `there are two classes ${harmless(read.name)}`);
    names.add(read.name);
    return yaml.faults.length > before ? [] : [read];
  });
}

function readNodeClass(item: Node, yaml: YamlReader): ConfiguredClass | undefined {
  const fields = yaml.fields(item, "a class of nodes", FIELDS);
  if (fields === undefined) return undefined;
  const name = textOf(fields.get("class"));
  if (name === undefined) yaml.fault(item, "a class of nodes needs a name: class");
  const max = fields.get("max");
  const most = isScalar(max) && Number.isInteger(max.value) ? Number(max.value) : -1;
  if (most < 0) yaml.fault(max ?? item, "max is not a number of nodes");
  const amounts = [
    ...["cpu", "memory"].flatMap((resource) => {
      const value = fields.get(resource);
      if (value === undefined) yaml.fault(item, `a class of nodes needs ${resource}: what one node has for executors`);
      return value === undefined ? [] : [[resource, value] as const];
    }),
    ...(fields.has("resources") ? (yaml.fields(fields.get("resources"), "resources", undefined) ?? []) : []),
  ];
  return {
    name: name ?? "",
    max: most,
    node: readResources(
      Object.fromEntries(
        amounts.map(([resource, value]) => {
          const named = harmless(resource);
          return [resource, readAmount(resource, value, yaml, { named, amount: `${named} of a class of nodes` }) ?? ""];
        }),
      ),
    ),
    labels: readLabels(fields.get("labels"), yaml),
    taints: readTaints(fields.get("taints"), yaml),
  };
}

function readLabels(node: Node | undefined, yaml: YamlReader): Record<string, string> {
  if (node === undefined) return {};
  const labels: Record<string, string> = {};
  for (const [label, value] of yaml.fields(node, "labels", undefined) ?? []) {
    const text = textOf(value);
    if (text === undefined) yaml.fault(value, `the label ${harmless(label)} of a class of nodes is not a text`);
    else labels[label] = text;
  }
  return labels;
}

function readTaints(node: Node | undefined, yaml: YamlReader): ConfiguredClass["taints"] {
  if (node === undefined) return [];
  if (!isSeq<Node>(node)) {
    yaml.fault(node, "taints is not a list");
    return [];
  }
  return node.items.flatMap((item) => {
    const fields = yaml.fields(item, "a taint", TAINT_FIELDS);
    if (fields === undefined) return [];
    const [key, value, effect] = TAINT_FIELDS.map((field) => textOf(fields.get(field)));
    if (key === undefined) yaml.fault(item, "a taint needs a key");
    else if (effect === undefined || !EFFECTS.includes(effect))
      yaml.fault(item, `the effect of a taint is one of ${EFFECTS.join(", ")}`);
    else return [{ key, effect, ...(value !== undefined && { value }) }];
    return [];
  });
}

/** A scalar as a text: YAML reads `1` and `true` as a number and a boolean, and labels are texts. */
function textOf(node: Node | undefined): string | undefined {
  if (!isScalar(node) || node.value === null) return undefined;
  const text = String(node.value);
  return text === "" ? undefined : text;
}
