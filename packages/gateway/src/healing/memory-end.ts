import type { KubeObject } from "@kindling/kube-objects";
import { outOfMemory, type MemoryKind } from "@kindling/diagnosis";
import { trueCondition } from "../json/conditions.ts";
import { objectAt, textAt } from "../json/fields.ts";
import { containerState } from "../spark/container-state.ts";
import { isBecomingKeeper } from "../spark/keeper.ts";
import { hasEnded } from "../spark/spark-pod.ts";

/**
 * Which memory was too small. `heap`: Java's heap. `direct`: direct buffers, which may take as much as the heap has unless
 * `-XX:MaxDirectMemorySize` says otherwise. `container`: everything together, above the limit of the container, such as Python,
 * native code, or the page cache of files in memory.
 */
export type MemoryCause = "heap" | "direct" | "container";

/** What the end of a pod says about memory, before its log is read. */
export interface SeenEnd {
  readonly cause: MemoryCause;
  readonly exitCode: number;
  /** Whether the kubelet says that the kernel has ended it (`OOMKilled`). */
  readonly isKilled: boolean;
  /** Whether the log can tell more: which kind of memory it was, or that it was none. */
  readonly asksLog: boolean;
}

/** SparkExitCode.OOM: an executor or a driver ends itself with it after an OutOfMemoryError that nothing has caught. */
const OOM = 52;
/** HotSpot ends with it after `-XX:+ExitOnOutOfMemoryError`. */
const EXIT_ON_OOM = 3;
/** HotSpot ends with it after `-XX:+CrashOnOutOfMemoryError`, and after crashes of other kinds. */
const ABORTED = 134;
const KILLED = 137;
/** Codes with which a JVM may end that could not get memory: only the log says so. */
const PERHAPS: ReadonlySet<number> = new Set([1, EXIT_ON_OOM, 50, ABORTED]);

/**
 * Whether a container has ended. The kubelet reports that before the phase of the pod changes, and drivers look at it at once.
 */
export function hasStopped(pod: KubeObject, container: string): boolean {
  return hasEnded(pod) || typeof objectAt(containerState(pod, container), "terminated")["exitCode"] === "number";
}

/**
 * What the status of an ended pod says about memory; `undefined` if it ended for another reason, or if the cluster or somebody
 * has taken it away.
 *
 * @param container the container in which Spark runs
 */
export function seenEnd(pod: KubeObject, container: string): SeenEnd | undefined {
  const isTaken = pod.metadata.deletionTimestamp !== undefined || trueCondition(pod, "DisruptionTarget") !== undefined;
  if (isTaken || textAt(pod, "status", "reason") !== undefined) return undefined;
  const ended = objectAt(containerState(pod, container), "terminated");
  const { exitCode } = ended;
  if (typeof exitCode !== "number" || exitCode === 0) return undefined;
  if (textAt(ended, "reason") === "OOMKilled") return { cause: "container", exitCode, isKilled: true, asksLog: false };
  // It was asked to leave without its pod, and perhaps killed when its grace period was over.
  if (isBecomingKeeper(pod)) return undefined;
  if (exitCode === KILLED) return { cause: "container", exitCode, isKilled: false, asksLog: false };
  if (exitCode === OOM) return { cause: "heap", exitCode, isKilled: false, asksLog: true };
  return PERHAPS.has(exitCode) ? { cause: "heap", exitCode, isKilled: false, asksLog: true } : undefined;
}

/** Whether the status alone shows that it was memory: exit codes that other programs use need the log. */
export function isCertain({ exitCode, isKilled }: SeenEnd): boolean {
  return isKilled || exitCode === OOM || exitCode === KILLED;
}

/** What helps against each kind of full memory; `undefined`: no memory does. */
export const MEMORY_KINDS: Readonly<Record<MemoryKind, MemoryCause | undefined>> = {
  heap: "heap",
  gc: "heap",
  // An array of more than 2 GiB fits into no heap, and threads are limited by the node, not by memory.
  array: undefined,
  threads: undefined,
  direct: "direct",
  // Without a limit of its own, metaspace is limited only by the container. With one, only its option helps.
  metaspace: undefined,
  native: "container",
};

/** HotSpot writes this to the standard output before it ends itself. */
const ENDS_ITSELF = /^(?:Terminating|Aborting) due to java\.lang\.OutOfMemoryError/;
const NATIVE = /There is insufficient memory for the Java Runtime Environment/;

/**
 * Which memory was too small, by the end of the log; `undefined` if it was none that can be made larger.
 *
 * @param lines the last lines of the log; `undefined` if it cannot be read
 */
export function causeOf(end: SeenEnd, lines: readonly string[] | undefined): MemoryCause | undefined {
  if (!end.asksLog) return end.cause;
  if (lines === undefined) return isCertain(end) ? end.cause : undefined;
  const last =
    lines.findLast((line) => ENDS_ITSELF.test(line) || NATIVE.test(line)) ??
    (isCertain(end) ? lines.findLast((line) => outOfMemory(line) !== undefined) : undefined);
  if (last === undefined) return isCertain(end) ? end.cause : undefined;
  const found = outOfMemory(last);
  return found === undefined ? end.cause : MEMORY_KINDS[found.kind];
}
