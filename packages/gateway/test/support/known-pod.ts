import type { KubeObject } from "@kindling/kube-objects";
import type { PodBuilder } from "@kindling/test-kit/a-pod";

/** A pod as the gateway has seen it in the cluster. */
export function knownPod(pod: PodBuilder): KubeObject {
  return pod.stored() as unknown as KubeObject;
}
