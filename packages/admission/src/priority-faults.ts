import { rangeOf } from "./queue-access.ts";
import { queuePath, type Queue } from "./queue.ts";

interface PriorityFault {
  readonly path: string;
  readonly field: "priority";
  readonly message: string;
}

/** Empty ranges of priorities, and defaults outside their range. */
export function priorityFaults(root: Queue): readonly PriorityFault[] {
  return root.children.flatMap((child) => faultsOf([child], child.name));
}

function faultsOf(line: readonly Queue[], path: string): readonly PriorityFault[] {
  const queue = line.at(-1);
  const { min, max } = rangeOf(line);
  const usual = queue?.priority?.default;
  const messages: string[] = [];
  if (queue?.priority !== undefined && min > max)
    messages.push(`priority: min ${min} is above max ${max}, its own or that of a queue above it`);
  else if (usual !== undefined && (usual < min || usual > max))
    messages.push(`priority: default ${usual} is outside ${rangeText(min, max)}`);
  const below = (queue?.children ?? []).flatMap((child) => faultsOf([...line, child], queuePath(path, child.name)));
  return [...messages.map((message) => ({ path, field: "priority" as const, message })), ...below];
}

function rangeText(min: number, max: number): string {
  const [least, most] = [Number.isFinite(min) ? `from ${min}` : "", Number.isFinite(max) ? `up to ${max}` : ""];
  return `the range ${[least, most].filter((part) => part !== "").join(" ")}`;
}
