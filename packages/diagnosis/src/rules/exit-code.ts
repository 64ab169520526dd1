/**
 * The meaning of an exit code, if it is known: of shells and signals (POSIX, Bash's manual, "Exit Status"), of Spark's driver
 * and executors (SparkExitCode, SparkSubmit, ExecutorExitCode).
 */
const MEANINGS: ReadonlyMap<number, string> = new Map([
  [11, "Spark gave up: too many executors had failed"],
  [50, "an exception that nothing caught ended Spark's process"],
  [51, "an exception that nothing caught ended Spark's process, and its handler failed too"],
  [52, "Java's heap was full"],
  [53, "Spark could not make its local directories"],
  [54, "Spark's external block store could not be set up"],
  [55, "the driver took too long to answer"],
  [56, "the executor could not reach the driver for too long"],
  [101, "the class to run was not found"],
  [126, "the command in the image cannot be run"],
  [127, "the command is not in the image"],
  [134, "aborted (SIGABRT): the JVM or a native library crashed"],
  [137, "killed (SIGKILL): most often for using more memory than the container's limit"],
  [139, "crashed (SIGSEGV) in native code"],
  [143, "ended by the cluster or a user (SIGTERM)"],
]);

export function exitCodeMeaning(code: number): string | undefined {
  return MEANINGS.get(code);
}

/** `exit code 137: killed (SIGKILL): …` */
export function exitCodeText(code: number): string {
  // Spark writes this if a pod is gone before its containers could be examined (ExecutorPodsLifecycleManager).
  if (code === -1) return "an exit code that nobody saw: the pod was deleted, evicted, or lost with its node";
  const meaning = exitCodeMeaning(code);
  return meaning === undefined ? `exit code ${code}` : `exit code ${code}: ${meaning}`;
}
