import { allowsNamespace, type NamespaceFacts } from "@kindling/core-spec";
import { DEFAULT_PROTECTION, queuePath, type Queue, type QueueProtection, type SpotRule } from "./queue.ts";

/** Why an application may not use the queue that it names. */
export interface QueueRefusal {
  /** The queues that its namespace may use. */
  readonly mayUse: readonly string[];
}

/** The paths of the queues without children that a namespace may use: a queue's rule applies to its children, too. */
export function queuesOf(root: Queue, namespace: NamespaceFacts): readonly string[] {
  return allowedLeaves(root, "", namespace);
}

/** Why a namespace may not use a queue; `undefined` if it may, or if there is no queue with this path. */
export function queueRefusal(root: Queue, path: string, namespace: NamespaceFacts): QueueRefusal | undefined {
  const isFree = lineTo(root, path).every((queue) => isAllowed(queue, namespace));
  return isFree ? undefined : { mayUse: queuesOf(root, namespace) };
}

/**
 * The priority of an application: the one that it names, or else the queue's default. A priority outside the queue's range
 * becomes the nearest one inside (as YARN does with `yarn.cluster.max-application-priority`).
 *
 * @param asked undefined if the application names none
 */
export function priorityIn(root: Queue, path: string, asked: number | undefined): number {
  const { min, max, default: usual = 0 } = rangeOf(lineTo(root, path));
  const wanted = asked ?? usual;
  return Math.min(Math.max(wanted, min), max);
}

/** Which pods of a queue's applications are protected: by its own rule, or that of the nearest parent with one. */
export function protectionIn(root: Queue, path: string): QueueProtection {
  return lineTo(root, path).findLast(({ protect }) => protect !== undefined)?.protect ?? DEFAULT_PROTECTION;
}

/** The rule of a queue for spot nodes: its own, or that of the nearest parent with one. */
export function spotIn(root: Queue, path: string): SpotRule | undefined {
  return lineTo(root, path).findLast(({ spot }) => spot !== undefined)?.spot;
}

/** The range that a path of queues allows, from the root to the leaf: a child can only narrow the range of its parents. */
export function rangeOf(line: readonly Queue[]): { min: number; max: number; default?: number | undefined } {
  const ranges = line.flatMap(({ priority }) => priority ?? []);
  return {
    min: Math.max(Number.NEGATIVE_INFINITY, ...ranges.flatMap(({ min }) => min ?? [])),
    max: Math.min(Number.POSITIVE_INFINITY, ...ranges.flatMap(({ max }) => max ?? [])),
    default: ranges.flatMap((range) => range.default ?? []).at(-1),
  };
}

/** Whether any queue selects namespaces by labels. */
export function looksAtLabels({ namespaces, children }: Queue): boolean {
  return namespaces?.kind === "labels" || children.some(looksAtLabels);
}

function allowedLeaves({ children }: Queue, path: string, namespace: NamespaceFacts): readonly string[] {
  return children.flatMap((child) => {
    if (!isAllowed(child, namespace)) return [];
    const childPath = queuePath(path, child.name);
    return child.children.length === 0 ? [childPath] : allowedLeaves(child, childPath, namespace);
  });
}

function isAllowed({ namespaces }: Queue, namespace: NamespaceFacts): boolean {
  return namespaces === undefined || allowsNamespace(namespaces, namespace);
}

/** The existing queues on the way to a path. Names have no dots. */
function lineTo(root: Queue, path: string): readonly Queue[] {
  const line: Queue[] = [];
  let { children } = root;
  for (const name of path.split(".")) {
    const next = children.find((child) => child.name === name);
    if (next === undefined) return line;
    line.push(next);
    children = next.children;
  }
  return line;
}
