import type { ExecutorId, ExecutorPod } from "../executor-pod/executor-pod.ts";

/** How an executor ended. */
export type ExitKind =
  /** Its container ended, or its pod failed. */
  | "exited"
  /** Somebody deleted its pod before it ran, or before its end was seen. */
  | "deleted"
  /** No list shows it any more, and the reason is not known. */
  | "missing"
  /** It was told to stop. */
  | "killed"
  /** It was told to hand over its work and stop. */
  | "decommissioned";

/** The end of an executor, as reported to its application. */
export interface ExecutorExit {
  readonly id: ExecutorId;
  readonly kind: ExitKind;
  /** -1 if the container's end was not seen. */
  readonly exitCode: number;
  /** Whether tasks that were lost with the executor count as failed (`spark.task.maxFailures`). */
  readonly causedByApp: boolean;
  readonly message: string;
}

/** Spark's descriptions (ExecutorPodsLifecycleManager.describeExitCode). */
const MEANINGS: ReadonlyMap<number, string> = new Map([
  [0, "(success)"],
  [1, "(generic, look at logs to clarify)"],
  [10, "(uncaught exception)"],
  [50, "(uncaught exception)"],
  [52, "(JVM OOM)"],
  [53, "(DiskStore failed to create temp dir)"],
  [126, "(not executable - possibly perm or arch)"],
  [137, "(SIGKILL, possible container OOM)"],
  [139, "(SIGSEGV: that's unexpected)"],
  [255, "(exit-1, your guess is as good as mine)"],
]);

/**
 * The end of a pod that has failed or succeeded. An executor runs until it is told to stop, so both count as caused by the
 * application.
 */
export function exitOfEnded(pod: ExecutorPod): ExecutorExit {
  const { id, reason, message, termination } = pod;
  const exitCode = exitCodeOf(pod);
  const lines = [
    `The executor with id ${id} exited with exit code ${exitCode}${MEANINGS.get(exitCode) ?? "(unexpected)"}.`,
    ...(reason === undefined ? [] : [`The API gave the following brief reason: ${reason}`]),
    ...(message === undefined ? [] : [`The API gave the following message: ${message}`]),
    ...(termination?.reason === undefined ? [] : [`The container's reason: ${termination.reason}`]),
  ];
  return { id, kind: "exited", exitCode, causedByApp: true, message: lines.join("\n") };
}

/** The end of an executor whose pod somebody has deleted. */
export function exitOfDeleted(pod: ExecutorPod): ExecutorExit {
  const message = `The executor with id ${pod.id} was deleted by a user or the framework.`;
  return { id: pod.id, kind: "deleted", exitCode: exitCodeOf(pod), causedByApp: false, message };
}

/** The end of an executor that was seen before, and that no list shows any more. */
export function exitOfMissing(id: ExecutorId): ExecutorExit {
  const message =
    `The executor with ID ${id} was not found in the cluster, and the reason is not known: its pod may have been deleted ` +
    "without the deletion being seen.";
  return { id, kind: "missing", exitCode: -1, causedByApp: false, message };
}

/** The same end, for an executor that was told to stop: the application knows why, and its tasks are not the cause. */
export function exitOnRequest(exit: ExecutorExit, kind: "killed" | "decommissioned"): ExecutorExit {
  return { ...exit, kind, causedByApp: false };
}

function exitCodeOf({ termination }: ExecutorPod): number {
  return termination?.exitCode ?? -1;
}
