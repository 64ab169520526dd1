import { priorityFaults } from "./priority-faults.ts";
import { effectiveGuarantee, guaranteeOfChildren, queuePath, type Queue } from "./queue.ts";
import { amountText } from "./resources.ts";

/** A contradiction in a tree of queues, and where it is. */
export interface QueueFault {
  /** The path of the queue, see `queuePath`; empty for the root. */
  readonly path: string;
  /** The part of the queue that is wrong. */
  readonly field: keyof Queue;
  readonly message: string;
}

/** All contradictions of a tree of queues; empty if the tree can be used. */
export function queueFaults(root: Queue): readonly QueueFault[] {
  return [...(root.children.length === 0 ? [noQueue()] : []), ...faultsOf(root, ""), ...priorityFaults(root)];
}

function noQueue(): QueueFault {
  return { path: "", field: "children", message: "there is no queue: give at least one" };
}

function faultsOf(queue: Queue, path: string): QueueFault[] {
  return [
    ...weightFaults(queue, path),
    ...amountFaults(queue, path),
    ...guaranteeFaults(queue, path),
    ...floorFaults(queue, path),
    ...queue.children.flatMap((child, index) => [
      ...nameFaults(child, queue.children.slice(0, index), path),
      ...faultsOf(child, queuePath(path, child.name)),
    ]),
  ];
}

function weightFaults({ weight }: Queue, path: string): QueueFault[] {
  if (Number.isFinite(weight) && weight > 0) return [];
  return [{ path, field: "weight", message: `weight ${weight} is not a number above 0` }];
}

function floorFaults({ floor }: Queue, path: string): QueueFault[] {
  if (floor === undefined || floor === "minimum" || (Number.isSafeInteger(floor) && floor >= 1)) return [];
  return [{ path, field: "floor", message: `floor ${floor} is neither minimum nor a whole number from 1` }];
}

function amountFaults({ guarantee, ceiling }: Queue, path: string): QueueFault[] {
  return (["guarantee", "ceiling"] as const).flatMap((field) =>
    Object.entries({ guarantee, ceiling }[field])
      .filter(([, amount]) => !(Number.isFinite(amount) && amount >= 0))
      .map(([name, amount]) => ({ path, field, message: `${field} of ${name}: ${amount} is not an amount` })),
  );
}

function guaranteeFaults(queue: Queue, path: string): QueueFault[] {
  const ofChildren = guaranteeOfChildren(queue.children);
  const aboveParent = Object.entries(queue.guarantee).flatMap(([name, amount]): QueueFault[] => {
    const needed = ofChildren[name] ?? 0;
    if (needed === 0 || needed <= amount) return [];
    return [
      {
        path,
        field: "guarantee",
        message: `guarantee of ${name}: its children are guaranteed ${amountText(name, needed)}, which is more than its own ${amountText(name, amount)}`,
      },
    ];
  });
  const aboveCeiling = Object.entries(effectiveGuarantee(queue)).flatMap(([name, amount]): QueueFault[] => {
    const ceiling = queue.ceiling[name];
    if (ceiling === undefined || amount <= ceiling) return [];
    const whose = queue.guarantee[name] === undefined ? "guarantee of its children" : "guarantee";
    return [
      {
        path,
        field: "ceiling",
        message: `ceiling of ${name}: ${amountText(name, ceiling)} is less than the ${whose}, ${amountText(name, amount)}`,
      },
    ];
  });
  return [...aboveParent, ...aboveCeiling];
}

function nameFaults({ name }: Queue, before: readonly Queue[], parent: string): QueueFault[] {
  const path = queuePath(parent, name);
  if (name === "") return [{ path, field: "name", message: "a queue needs a name" }];
  if (name.includes("."))
    return [
      { path, field: "name", message: `name ${name}: a dot separates a queue from its parent, use another character` },
    ];
  if (before.some((other) => other.name === name))
    return [{ path, field: "name", message: `there are two queues ${path}: give one of them another name` }];
  return [];
}
