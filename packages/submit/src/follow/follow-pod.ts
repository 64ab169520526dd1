import { followObject, resources, type FollowObjectOptions, type KubeClient, type KubeError } from "@kindling/kube";
import type { Outside } from "@kindling/outside";
import { podState, type PodState } from "@kindling/diagnosis";

export interface FollowPodOptions extends Pick<FollowObjectOptions, "namespace" | "intervalMs" | "signal"> {
  readonly name: string;
  /** Measures the intervals. */
  readonly outside: Pick<Outside, "clock" | "random">;
  /** Called when the server stops answering, once each time. */
  readonly onTrouble: (error: KubeError) => void;
}

/**
 * The states of one pod, as they come, beginning with the present one. Ends when the pod is gone, or when another pod has its
 * name. The API server may restart while an application runs: a server that does not answer is asked again.
 */
export async function* followPod(client: KubeClient, options: FollowPodOptions): AsyncGenerator<PodState, void> {
  const { name, outside, ...rest } = options;
  const random = (): number => outside.random.fraction();
  for await (const pod of followObject(client, resources.pods, name, { ...rest, clock: outside.clock, random }))
    yield podState(pod);
}
