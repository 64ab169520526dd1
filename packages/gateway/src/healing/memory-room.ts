import {
  type Capacity,
  mayBePlaced,
  type PodShape,
  type PolicySnapshot,
  queuePath,
  type Queue,
} from "@kindling/admission";
import type { MemoryLimit } from "./memory-words.ts";

const MIB = 1024 * 1024;
const MEMORY_OF_QUOTAS: readonly string[] = ["memory", "requests.memory", "limits.memory"];

/**
 * What limits the memory of one executor besides the wish of its user: the largest node, the ceiling of its queue, the quotas of
 * its namespace. Room that others use at the moment counts, because it may become free. What the driver takes does not.
 *
 * @param application the uid of its driver
 */
export function memoryRoom(
  { capacity, queues, quotas, applications }: PolicySnapshot,
  application: string,
  executor: PodShape,
): MemoryLimit[] {
  const demand = applications.find(({ id }) => id === application);
  const ofDriver = demand?.driver.pod.requests["memory"] ?? 0;
  const ofNodes = mostOfNodes(capacity, executor);
  const ceilings = demand === undefined ? [] : ceilingsOf(queues, "", demand.queue);
  const ofQuotas = quotas.filter(({ namespace }) => namespace === demand?.namespace);
  return [
    ...(ofNodes === undefined ? [] : [{ kind: "nodes", most: wholeMiB(ofNodes) } as const]),
    ...ceilings.map(({ name, most }) => ({ kind: "queue", name, most: wholeMiB(most - ofDriver) }) as const),
    ...ofQuotas.flatMap(({ name, hard }) =>
      MEMORY_OF_QUOTAS.flatMap((key) => {
        const most = hard[key];
        return most === undefined ? [] : [{ kind: "quota", name, most: wholeMiB(most - ofDriver) } as const];
      }),
    ),
  ];
}

/** The most memory that a node has for such a pod, in bytes; `undefined` if that is not known. */
function mostOfNodes(capacity: Capacity, { placement }: PodShape): number | undefined {
  if (capacity.kind === "configured") return capacity.total["memory"];
  const { nodes, classes = [] } = capacity;
  const there = nodes
    .filter((node) => !node.unschedulable && mayBePlaced(placement, node))
    .map(({ allocatable, usedByOthers }) => (allocatable["memory"] ?? 0) - (usedByOthers["memory"] ?? 0));
  // A class that does not say how large its nodes are may have any.
  const toCome = classes.map(({ largest }) => largest["memory"] ?? Number.POSITIVE_INFINITY);
  const most = Math.max(0, ...there, ...toCome);
  return Number.isFinite(most) && there.length + toCome.length > 0 ? most : undefined;
}

function ceilingsOf(parent: Queue, path: string, wanted: string): { readonly name: string; readonly most: number }[] {
  return parent.children.flatMap((child) => {
    const name = queuePath(path, child.name);
    if (wanted !== name && !wanted.startsWith(`${name}.`)) return [];
    const most = child.ceiling["memory"];
    return [...(most === undefined ? [] : [{ name, most }]), ...ceilingsOf(child, name, wanted)];
  });
}

function wholeMiB(bytes: number): number {
  return Math.max(0, Math.floor(bytes / MIB));
}
