import { harmlessText, readNamespaceRule, type NamespaceRule } from "@kindling/core-spec";

/** A queue of the installation's gateway that applications can be in. */
export interface OfferedQueue {
  /** The name that applications use, such as `etl.daily`. */
  readonly path: string;
  /** A namespace must satisfy all of them: the rules of the queues above it, and its own. */
  readonly namespaces: readonly NamespaceRule[];
  readonly leastPriority: number;
  readonly mostPriority: number;
}

interface Above {
  readonly path: string;
  readonly namespaces: readonly NamespaceRule[];
  readonly leastPriority: number;
  readonly mostPriority: number;
}

const ROOT: Above = {
  path: "",
  namespaces: [],
  leastPriority: Number.NEGATIVE_INFINITY,
  mostPriority: Number.POSITIVE_INFINITY,
};
/** A queue's path is at most as long as a label, so there are no more levels than this. */
const DEEPEST = 32;

/**
 * Reads the queues that an installation publishes, as JSON with the same names as in the gateway's file. The gateway itself
 * applies the rules to applications, so a rule that cannot be understood here is ignored.
 */
export function offeredQueues(text: string | undefined): readonly OfferedQueue[] {
  if (text === undefined) return [];
  try {
    return queuesIn(JSON.parse(text), ROOT, 0);
  } catch {
    return [];
  }
}

function queuesIn(value: unknown, above: Above, depth: number): readonly OfferedQueue[] {
  if (!Array.isArray(value) || depth > DEEPEST) return [];
  return value.flatMap((one) => {
    const queue = fieldsOf(one);
    const { name } = queue;
    if (typeof name !== "string") return [];
    const rule = queue["namespaces"] === undefined ? undefined : readNamespaceRule(queue["namespaces"]);
    const priority = fieldsOf(queue["priority"]);
    const own: Above = {
      path: above.path === "" ? harmlessText(name) : `${above.path}.${harmlessText(name)}`,
      namespaces: typeof rule === "object" ? [...above.namespaces, rule] : above.namespaces,
      leastPriority: Math.max(above.leastPriority, numberOr(priority["min"], Number.NEGATIVE_INFINITY)),
      mostPriority: Math.min(above.mostPriority, numberOr(priority["max"], Number.POSITIVE_INFINITY)),
    };
    const children = queue["children"];
    return Array.isArray(children) && children.length > 0 ? queuesIn(children, own, depth + 1) : [own];
  });
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}
