import type { ContainerState, PodState } from "./pod-state.ts";

type Ended = ContainerState & { readonly state: "terminated" };

/** What tells how an application is, of a driver pod. */
export type PhasedPod = Pick<PodState, "phase" | "containers" | "restartPolicy" | "sparkContainer">;

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
  const ended = endOfSpark(pod, container);
  if (ended === undefined) return phase;
  return ended.exitCode === 0 ? "Succeeded" : "Failed";
}

/** How Spark's container ended, unless it is started again. */
function endOfSpark({ containers, restartPolicy }: PhasedPod, container: string | undefined): Ended | undefined {
  const spark = containers.find(({ name }) => name === container);
  if (spark?.state !== "terminated") return undefined;
  // Spark has Never; whoever makes pods by hand may have another.
  const isStartedAgain = restartPolicy === "Always" || (restartPolicy === "OnFailure" && spark.exitCode !== 0);
  return isStartedAgain ? undefined : spark;
}

/** Whether the application has come to its end. */
export function isFinished(pod: PhasedPod, container: string | undefined = pod.sparkContainer): boolean {
  const phase = applicationPhase(pod, container);
  return phase === "Succeeded" || phase === "Failed";
}

/** The containers that keep a pod whose application has ended. */
export function keptBy(
  pod: PhasedPod & Pick<PodState, "initContainers">,
  container: string | undefined = pod.sparkContainer,
): readonly string[] {
  if (pod.phase !== "Running" || !isFinished(pod, container)) return [];
  return [...pod.initContainers, ...pod.containers].flatMap(({ name, state }) => (state === "running" ? [name] : []));
}

/** How the driver ended: the container that runs Spark, else the first that did not end well. */
export function driverTermination(
  { containers }: Pick<PodState, "containers">,
  containerName: string | undefined,
): Ended | undefined {
  const ended = containers.flatMap((container) => (container.state === "terminated" ? [container] : []));
  return (
    ended.find((container) => container.name === containerName) ??
    ended.find((container) => container.exitCode !== 0) ??
    ended[0]
  );
}

/** Whether a container has begun; without a name, whether any has. */
export function hasStarted({ containers }: Pick<PodState, "containers">, container: string | undefined): boolean {
  return containers.some(
    ({ name, state: now }) =>
      (container === undefined || name === container) && (now === "running" || now === "terminated"),
  );
}
