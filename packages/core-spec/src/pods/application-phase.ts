/** What tells how an application is, of a driver pod. */
export interface PhasedPod {
  readonly phase: string;
  /** Of the pod: Never, as Spark has it, OnFailure, Always. */
  readonly restartPolicy: string | undefined;
  /** The name of the container that runs Spark. */
  readonly sparkContainer: string | undefined;
  readonly containers: readonly PhasedContainer[];
}

/** How a container is; all but its end is alike here. */
export type PhasedContainer = { readonly name: string } & (
  | { readonly state: "terminated"; readonly exitCode: number }
  | { readonly state: "running" | "waiting" | "unknown" }
);

/**
 * The phase of the application: that of the driver's pod, but for sidecars. Spark's container decides, as the operator has it
 * (kubeflow/spark-operator v2.5.2, pkg/util/sparkapplication.go, `GetDriverState`): when it has ended, sidecars that run on do
 * not keep the application, and those that fail afterwards do not spoil it.
 *
 * @param container the one that runs Spark
 */
export function applicationPhase(pod: PhasedPod, container: string | undefined = pod.sparkContainer): string {
  const { phase } = pod;
  if (phase !== "Running" && phase !== "Failed") return phase;
  const exitCode = exitCodeOfSpark(pod, container);
  if (exitCode === undefined) return phase;
  return exitCode === 0 ? "Succeeded" : "Failed";
}

/** How Spark's container ended, unless it is started again. */
function exitCodeOfSpark({ containers, restartPolicy }: PhasedPod, container: string | undefined): number | undefined {
  const spark = containers.find(({ name }) => name === container);
  if (spark?.state !== "terminated") return undefined;
  // Spark has Never; whoever makes pods by hand may have another.
  const isStartedAgain = restartPolicy === "Always" || (restartPolicy === "OnFailure" && spark.exitCode !== 0);
  return isStartedAgain ? undefined : spark.exitCode;
}

/** Whether the application has come to its end. */
export function isFinished(pod: PhasedPod, container: string | undefined = pod.sparkContainer): boolean {
  const phase = applicationPhase(pod, container);
  return phase === "Succeeded" || phase === "Failed";
}
