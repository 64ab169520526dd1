import {
  isOnDemandPart,
  type Queue,
  type QueuePreemption,
  type QueueProtection,
  type SpotRule,
  readResources,
  type Resources,
} from "@kindling/admission";
import { isScalar, type Node } from "yaml";
import { readNamespaces, readPriority, type Read } from "./parse-queue-access.ts";
import { readAmount } from "./read-amount.ts";
import { harmless, toPlain, type YamlReader } from "./yaml-reader.ts";

/** Reads a field of a queue. A wrong one leaves a fault and nothing else. */
type ReadField = (node: Node, yaml: YamlReader) => Partial<Queue>;

const PREEMPTIONS: readonly QueuePreemption[] = ["any", "graceful", "never"];
const PROTECTIONS: readonly QueueProtection[] = ["none", "drivers", "unmovable", "all"];

/** The fields of a queue besides its name and its children, in the order in which messages list them. */
const FIELDS: Readonly<Record<Exclude<keyof Queue, "name" | "children">, ReadField>> = {
  weight(node, yaml) {
    if (isScalar(node) && typeof node.value === "number") return { weight: node.value };
    yaml.fault(node, "weight is not a number");
    return {};
  },
  guarantee: (node, yaml) => ({ guarantee: readAmounts(node, "guarantee", yaml) }),
  ceiling: (node, yaml) => ({ ceiling: readAmounts(node, "ceiling", yaml) }),
  floor(node, yaml) {
    const floor = isScalar(node) ? node.value : undefined;
    if (floor === "minimum" || typeof floor === "number") return { floor };
    yaml.fault(node, "floor is neither minimum nor a number of executors");
    return {};
  },
  preemption: (node, yaml) => ({ preemption: readChoice(node, yaml, "preemption", PREEMPTIONS) }),
  protect: (node, yaml) => ({ protect: readChoice(node, yaml, "protect", PROTECTIONS) }),
  spot: (node, yaml) => ({ spot: readSpot(node, yaml) }),
  namespaces: (node, yaml) => ({ namespaces: readPlain(node, yaml, readNamespaces) }),
  priority: (node, yaml) => ({ priority: readPlain(node, yaml, readPriority) }),
};

/** The names of all fields of a queue. */
export const QUEUE_FIELDS: readonly string[] = ["name", ...Object.keys(FIELDS), "children"];

/** The queue that a file describes, without its children. Fields that the file leaves out have their defaults. */
export function readQueueFields(name: string, nodes: ReadonlyMap<string, Node>, yaml: YamlReader): Queue {
  return Object.entries(FIELDS).reduce<Queue>(
    (queue, [field, read]) => {
      const node = nodes.get(field);
      return node === undefined ? queue : { ...queue, ...read(node, yaml) };
    },
    { name, weight: 1, guarantee: {}, ceiling: {}, children: [] },
  );
}

function readChoice<T>(node: Node, yaml: YamlReader, field: string, choices: readonly T[]): T | undefined {
  const choice = choices.find((one) => isScalar(node) && node.value === one);
  if (choice === undefined) yaml.fault(node, `${field} is not one of ${choices.join(", ")}`);
  return choice;
}

const SPOT_FIELDS = ["share", "onDemand", "fallback"];

/** A share alone, or `{ share: 0.7, onDemand: [driver, minExecutors], fallback: true }`. */
function readSpot(node: Node, yaml: YamlReader): SpotRule | undefined {
  const usual: Omit<SpotRule, "share"> = { onDemand: ["driver", "minExecutors"], fallback: true };
  const fields = isScalar(node)
    ? new Map([["share", node]])
    : (yaml.fields(node, "spot", SPOT_FIELDS) ?? new Map<string, Node>());
  const plain = (name: string): unknown => toPlain(fields.get(name));
  const [share, onDemand = usual.onDemand, fallback = usual.fallback] = SPOT_FIELDS.map(plain);
  if (typeof share !== "number" || !(share >= 0 && share <= 1)) yaml.fault(node, "spot is not a share from 0 to 1");
  else if (!Array.isArray(onDemand) || !onDemand.every(isOnDemandPart))
    yaml.fault(node, "onDemand of spot is not a list of driver, minExecutors");
  else if (typeof fallback !== "boolean") yaml.fault(node, "fallback of spot is neither true nor false");
  else return { share, onDemand, fallback };
  return undefined;
}

function readPlain<T>(node: Node, yaml: YamlReader, read: (value: unknown) => Read<T>): T | undefined {
  const found = read(toPlain(node));
  if ("value" in found) return found.value;
  yaml.fault(node, found.fault);
  return undefined;
}

function readAmounts(node: Node, what: string, yaml: YamlReader): Resources {
  const quantities: Record<string, string> = {};
  for (const [name, value] of yaml.fields(node, what, undefined) ?? []) {
    const text = readAmount(name, value, yaml, {
      named: `${what}: ${harmless(name)}`,
      amount: `${what} of ${harmless(name)}`,
    });
    if (text !== undefined) quantities[name] = text;
  }
  return readResources(quantities);
}
