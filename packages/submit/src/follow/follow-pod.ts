import { followObject, resources, type FollowObjectOptions, type KubeClient, type KubeError } from "@kindling/kube";
import type { Outside } from "@kindling/outside";
import { podState, type PodState } from "@kindling/diagnosis";

export interface FollowPodOptions extends Pick<FollowObjectOptions, "namespace" | "intervalMs" | "signal"> {
  readonly name: string;
  /** Measures the intervals. */
  readonly outside: Pick<Outside, "clock" | "random">;
  /** Called when the server cannot be asked for the time being, once each time that this begins. */
  readonly onTrouble: (error: KubeError) => void;
}

/**
 * The states of one pod, as they come, beginning with the present one; ends when the pod is gone, or another one has
 * its name. An application outlives its API server's restart: a server that does not answer is asked again.
 */
export async function* followPod(client: KubeClient, options: FollowPodOptions): AsyncGenerator<PodState, void> {
  const { name, outside, ...rest } = options;
  const random = (): number => outside.random.fraction();
  for await (const pod of followObject(client, resources.pods, name, { ...rest, clock: outside.clock, random }))
    yield podState(pod);
}
