import { placementOf, type Placement } from "./placement.ts";
import { podLimits, podRequests, type ResourcedPod } from "./pod-resources.ts";
import { add, type Resources } from "./resources.ts";

/** What a pod asks for; pods of the same shape can replace each other. */
export interface PodShape {
  /** With `pods: 1`, because a node accepts only so many pods. */
  readonly requests: Resources;
  /** Quotas may count them; a resource without a limit is missing. */
  readonly limits: Resources;
  readonly placement: Placement;
}

/** What a pod asks for, counted as the scheduler and the quotas of Kubernetes do. */
export function podShape(pod: ResourcedPod): PodShape {
  return {
    requests: add(podRequests(pod), { pods: 1 }),
    limits: podLimits(pod),
    placement: placementOf(pod.spec),
  };
}
