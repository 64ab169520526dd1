import type { Collecting } from "./collection-watch.ts";
import type { MemoryCause } from "./memory-end.ts";
import { DEFAULT_PROFILE, DRIVER_PROFILE } from "./memory-record.ts";
import type { ExecutorSize } from "./executor-size.ts";

/** What limits the memory of a pod, in the order in which a user can change it. */
export type MemoryLimit =
  | { readonly kind: "max" | "unset-max"; readonly most: number }
  | { readonly kind: "queue" | "quota"; readonly name: string; readonly most: number }
  | { readonly kind: "nodes"; readonly most: number };

/** An executor or a driver that ended for lack of memory. */
export interface EndedPod {
  /** `executor 3`, or `the driver` */
  readonly who: string;
  /** What is made larger: `executors`, or `the next driver`. */
  readonly next: string;
  readonly cause: MemoryCause;
  /** `undefined` if it went on itself, and only its tasks failed. */
  readonly exitCode: number | undefined;
  readonly isKilled: boolean;
  readonly size: ExecutorSize;
  /** How long Java collected garbage in it, if it was ended because it did little else. */
  readonly collecting?: Collecting;
}

/** `executor 3 used more than its container's 1408 MiB and was killed (OOMKilled)` */
export function endWords({ who, cause, exitCode, isKilled, size: { heap, total }, collecting }: EndedPod): string {
  if (collecting !== undefined) return collectingWords(who, heap, collecting);
  const code = exitCode === undefined ? "" : ` (exit code ${exitCode})`;
  switch (cause) {
    case "heap":
      return `Java's heap of ${heap} MiB was full in ${who}${code}`;
    case "direct":
      return `Java's direct memory of ${heap} MiB was full in ${who}${code}`;
    case "container":
      if (isKilled) return `${who} used more than its container's ${total} MiB, and was killed (OOMKilled)`;
      return exitCode === undefined
        ? `a process of ${who} needed more than there was outside of Java's heap, in a container of ${total} MiB`
        : `${who} used more than its container's ${total} MiB, and was killed${code}`;
  }
}

function collectingWords(who: string, heap: number, { collectedMs, ofMs }: Collecting): string {
  const [collected, of] = [collectedMs, ofMs].map((ms) => Math.round(ms / 1000));
  return `Java's heap of ${heap} MiB was almost full in ${who}, and garbage collection took ${collected} of its last ${of} s`;
}

/** The change, and the lines for the configuration with which the next run begins so. */
export function grownWords(ended: EndedPod, size: ExecutorSize, details: LineDetails): string {
  const { heap, total, slots } = size;
  const verb = details.profile === DRIVER_PROFILE ? "has" : "from now on have";
  const what =
    heap > ended.size.heap
      ? `${ended.next} ${verb} a heap of ${heap} MiB in ${total} MiB`
      : `${ended.next} ${verb} ${total} MiB`;
  const tasks = slots < ended.size.slots ? `, and run ${tasksWords(slots)} at a time` : "";
  return `${endWords(ended)}; ${what}${tasks}. To begin with that: ${configurationLine(size, details)}`;
}

/** Earlier runs had needed less. */
export function asAskedForWords(ended: EndedPod, { total }: ExecutorSize): string {
  return `${endWords(ended)}; executors from now on have the ${total} MiB that the application asks for`;
}

/** There is no more memory, but the tasks can run one after the other. */
export function fewerTasksWords(ended: EndedPod, slots: number, limit: MemoryLimit): string {
  return `${endWords(ended)}; ${limitWords(limit)}, so executors from now on run ${tasksWords(slots)} at a time`;
}

/** Nothing helps any more. */
export function exhaustedWords(ended: EndedPod, limit: MemoryLimit): string {
  return `${endWords(ended)}, and it gets no more: ${limitWords(limit)}`;
}

/** The log says that more memory would not help. */
export function noRemedyWords(id: string, exitCode: number): string {
  return `executor ${id} ended with exit code ${exitCode} for lack of something that more memory does not give; its log says what`;
}

/** What executors begin with, and why. */
export function learnedWords(
  { heap, total }: Pick<ExecutorSize, "heap" | "total">,
  runs: number,
  beside: number,
): string {
  const line = configurationLine({ heap, total, slots: 1 }, { profile: DEFAULT_PROFILE, beside });
  const by = runs === 1 ? "an earlier run" : `${runs} earlier runs`;
  return `executors begin with a heap of ${heap} MiB in ${total} MiB, by what ${by} needed. The same as configuration: ${line}`;
}

/** What a user needs to know to write a line for the configuration. */
export interface LineDetails {
  readonly profile: string;
  /** How much of the limit has keys of its own, in MiB: off-heap memory, and Python's share. */
  readonly beside: number;
}

/** `--conf spark.executor.memory=1536m --conf spark.executor.memoryOverhead=384m` */
export function configurationLine({ heap, total }: ExecutorSize, { profile, beside }: LineDetails): string {
  const overhead = Math.max(0, total - heap - beside);
  if (profile === DRIVER_PROFILE)
    return `--conf spark.driver.memory=${heap}m --conf spark.driver.memoryOverhead=${overhead}m`;
  if (profile !== DEFAULT_PROFILE)
    return `in resource profile ${profile}, memory("${heap}m") and memoryOverhead("${overhead}m") of its ExecutorResourceRequests`;
  return `--conf spark.executor.memory=${heap}m --conf spark.executor.memoryOverhead=${overhead}m`;
}

function limitWords(limit: MemoryLimit): string {
  switch (limit.kind) {
    case "max":
      return `spark.kindling.memory.max allows ${limit.most} MiB`;
    case "unset-max":
      return `without spark.kindling.memory.max a pod gets at most three times its first memory, ${limit.most} MiB`;
    case "queue":
      return `the ceiling of queue ${limit.name} is ${limit.most} MiB`;
    case "quota":
      return `ResourceQuota ${limit.name} allows ${limit.most} MiB`;
    case "nodes":
      return `no node has room for more than ${limit.most} MiB`;
  }
}

function tasksWords(slots: number): string {
  return slots === 1 ? "one task" : `${slots} tasks`;
}
