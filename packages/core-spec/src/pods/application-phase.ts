/** The facts about a driver pod that show the state of its application. */
export interface PhasedPod {
  readonly phase: string;
  /** The pod's restart policy: Never, as Spark sets it, OnFailure, or Always. */
  readonly restartPolicy: string | undefined;
  /** The name of the container that runs Spark. */
  readonly sparkContainer: string | undefined;
  readonly containers: readonly PhasedContainer[];
}

/** The state of a container; only the end matters here. */
export type PhasedContainer = { readonly name: string } & (
  | { readonly state: "terminated"; readonly exitCode: number }
  | { readonly state: "running" | "waiting" | "unknown" }
);

/**
 * The phase of the application: that of the driver's pod, without the effect of sidecars. Spark's container decides, as in
 * the operator (kubeflow/spark-operator v2.5.2, pkg/util/sparkapplication.go, `GetDriverState`): when it has ended, the
 * application has ended, even if sidecars still run or fail afterwards.
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

/** The exit code of Spark's container, unless the container is started again. */
function exitCodeOfSpark({ containers, restartPolicy }: PhasedPod, container: string | undefined): number | undefined {
  const spark = containers.find(({ name }) => name === container);
  if (spark?.state !== "terminated") return undefined;
  // Spark uses Never; pods that are made by hand may have another policy.
  const isStartedAgain = restartPolicy === "Always" || (restartPolicy === "OnFailure" && spark.exitCode !== 0);
  return isStartedAgain ? undefined : spark.exitCode;
}

/** Whether the application has ended. */
export function isFinished(pod: PhasedPod, container: string | undefined = pod.sparkContainer): boolean {
  const phase = applicationPhase(pod, container);
  return phase === "Succeeded" || phase === "Failed";
}
