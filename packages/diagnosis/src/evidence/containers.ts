import { isFinished, type PhasedPod } from "@kindling/core-spec";
import type { ContainerState, PodState } from "./pod-state.ts";

type Ended = ContainerState & { readonly state: "terminated" };

/** The containers that keep a pod whose application has ended. */
export function keptBy(
  pod: PhasedPod & Pick<PodState, "initContainers">,
  container: string | undefined = pod.sparkContainer,
): readonly string[] {
  if (pod.phase !== "Running" || !isFinished(pod, container)) return [];
  return [...pod.initContainers, ...pod.containers].flatMap(({ name, state }) => (state === "running" ? [name] : []));
}

/** How the driver ended: the container that runs Spark, else the first container that failed. */
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

/** Whether a container has started; without a name, whether any has. */
export function hasStarted({ containers }: Pick<PodState, "containers">, container: string | undefined): boolean {
  return containers.some(
    ({ name, state: now }) =>
      (container === undefined || name === container) && (now === "running" || now === "terminated"),
  );
}
