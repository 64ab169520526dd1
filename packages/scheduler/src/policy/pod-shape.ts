import type { Container, PodSpec } from "kubernetes-types/core/v1.js";
import { placementOf, type Placement } from "./placement.ts";
import { add, larger, NO_RESOURCES, readResources, sum, type Resources } from "./resources.ts";

/** What a pod asks for; pods of one shape can stand in for one another. */
export interface PodShape {
  /** With `pods: 1`, since a node takes only so many. */
  readonly requests: Resources;
  /** Quotas may count them; a resource without a limit is missing. */
  readonly limits: Resources;
  readonly placement: Placement;
}

/** What a pod asks for, counted as the scheduler of Kubernetes does (PodRequests of component-helpers, Kubernetes 1.33). */
export function podShape(spec: PodSpec): PodShape {
  return {
    requests: add(total(spec, requestsOf), { pods: 1 }),
    limits: total(spec, limitsOf),
    placement: placementOf(spec),
  };
}

function total(spec: PodSpec, amounts: (container: Container) => Resources): Resources {
  const running = sum(spec.containers.map(amounts));
  // An init container runs beside the sidecars that were started before it.
  let sidecars = NO_RESOURCES;
  let starting = NO_RESOURCES;
  for (const container of spec.initContainers ?? []) {
    const own = add(amounts(container), sidecars);
    if (container.restartPolicy === "Always") sidecars = own;
    starting = larger(starting, own);
  }
  const needed = larger(add(running, sidecars), starting);
  const overhead = Object.entries(readResources(spec.overhead));
  // As in PodLimits: overhead does not limit what is not limited.
  const counted = overhead.filter(([name]) => amounts === requestsOf || name in needed);
  return add(needed, Object.fromEntries(counted));
}

/** A request that is missing is the limit: the API server sets it so when the pod is made. */
function requestsOf({ resources }: Container): Resources {
  return { ...readResources(resources?.limits), ...readResources(resources?.requests) };
}

function limitsOf({ resources }: Container): Resources {
  return readResources(resources?.limits);
}
