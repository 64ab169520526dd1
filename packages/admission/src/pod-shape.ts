import { placementOf, type Placement } from "./placement.ts";
import { podLimits, podRequests, type ResourcedPod } from "./pod-resources.ts";
import { add, type Resources } from "./resources.ts";

/** What a pod asks for; pods of one shape can stand in for one another. */
export interface PodShape {
  /** With `pods: 1`, since a node takes only so many. */
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
