import type { Container, PodSpec, ResourceRequirements } from "kubernetes-types/core/v1.js";
import { add, larger, NO_RESOURCES, readResources, sum, type Resources } from "./resources.ts";

type Quantities = Readonly<Record<string, string>>;

/** What a kubelet says about the resources of a container or a pod: during a resize this differs from the spec. */
export interface SeenResources {
  readonly allocatedResources?: Quantities;
  readonly resources?: ResourceRequirements;
}

/** The part of a pod's status that says how much the pod has. */
export interface PodResourceStatus extends SeenResources {
  readonly conditions?: readonly { readonly type: string; readonly reason?: string }[];
  readonly containerStatuses?: readonly NamedResources[];
  readonly initContainerStatuses?: readonly NamedResources[];
}

interface NamedResources extends SeenResources {
  readonly name: string;
}

/** The part of a pod that says how much it asks for. `spec.resources` is for all of its containers together (KEP-2837). */
export interface ResourcedPod {
  readonly spec: PodSpec & { readonly resources?: ResourceRequirements };
  readonly status?: PodResourceStatus | undefined;
}

/** What the spec says, and what the kubelet reports. */
interface Said {
  readonly spec: Resources;
  readonly seen: readonly Resources[];
}

/**
 * What the scheduler reserves for a pod (PodRequests of component-helpers, and the defaults that the API server sets in
 * specs). Releases count differently during a resize: the highest of their results is used. The same is done if a pod asks
 * for less as a whole than for its containers: the API server refuses that, or, before 1.34, ignores the former.
 */
export function podRequests({ spec, status }: ResourcedPod): Resources {
  const isInfeasible = isResizeInfeasible(status);
  const asked = totalOf(spec, requestsOf);
  const containers = totalOf(spec, (container) => {
    const { resources, allocatedResources } = statusOf(container, status);
    return amountOf(
      { spec: requestsOf(container), seen: present(resources?.requests, allocatedResources) },
      isInfeasible,
    );
  });
  const seen = present(status?.resources?.requests, status?.resources && status.allocatedResources);
  const whole = wholeRequests(spec.resources, asked);
  const total = {
    ...most([containers, ...seen]),
    ...(hasAny(whole) && supported(amountOf({ spec: whole, seen }, isInfeasible))),
  };
  return add(isInfeasible ? total : larger(total, asked), readResources(spec.overhead));
}

/** The limits of a pod, as quotas count them (PodLimits of component-helpers); resources without a limit are missing. */
export function podLimits({ spec, status }: ResourcedPod): Resources {
  const isInfeasible = isResizeInfeasible(status);
  const containers = totalOf(spec, (container) => {
    const { resources } = statusOf(container, status);
    return amountOf({ spec: limitsOf(container), seen: present(resources?.limits) }, isInfeasible);
  });
  const seen = present(status?.resources?.limits);
  const whole = supported(readResources(spec.resources?.limits));
  const total = {
    ...most([containers, ...seen]),
    ...(hasAny(whole) && supported(amountOf({ spec: whole, seen }, isInfeasible))),
  };
  // Overhead does not add a limit to a resource without one.
  const overhead = Object.entries(readResources(spec.overhead)).filter(([name]) => (total[name] ?? 0) > 0);
  return add(total, Object.fromEntries(overhead));
}

function totalOf(
  { containers, initContainers = [] }: PodSpec,
  amounts: (container: Container) => Resources,
): Resources {
  const running = sum(containers.map(amounts));
  // An init container runs together with the sidecars that were started before it.
  let sidecars = NO_RESOURCES;
  let starting = NO_RESOURCES;
  for (const container of initContainers) {
    const own = add(amounts(container), sidecars);
    if (container.restartPolicy === "Always") sidecars = own;
    starting = larger(starting, own);
  }
  return larger(add(running, sidecars), starting);
}

/** A resize that a node can never carry out does not count. */
function amountOf({ spec, seen }: Said, isInfeasible: boolean): Resources {
  return seen.length === 0 ? spec : most(isInfeasible ? seen : [spec, ...seen]);
}

/** A missing request equals the limit: the API server sets it when the pod is created. */
function requestsOf({ resources }: Container): Resources {
  return { ...readResources(resources?.limits), ...readResources(resources?.requests) };
}

function limitsOf({ resources }: Container): Resources {
  return readResources(resources?.limits);
}

/**
 * If a pod has a limit and no request, the API server sets the request to the sum of its containers' requests, or else to the
 * limit.
 */
function wholeRequests(resources: ResourceRequirements | undefined, containers: Resources): Resources {
  const requests = readResources(resources?.requests);
  const missing = Object.entries(readResources(resources?.limits)).map(([name, limit]) => [
    name,
    isHugePages(name) ? limit : (containers[name] ?? limit),
  ]);
  return supported({ ...Object.fromEntries(missing), ...requests });
}

/** For a pod as a whole, only these resources count. */
function supported(amounts: Resources): Resources {
  return Object.fromEntries(
    Object.entries(amounts).filter(([name]) => name === "cpu" || name === "memory" || isHugePages(name)),
  );
}

function isHugePages(name: string): boolean {
  return name.startsWith("hugepages-");
}

function isResizeInfeasible(status: PodResourceStatus | undefined): boolean {
  return status?.conditions?.find(({ type }) => type === "PodResizePending")?.reason === "Infeasible";
}

function statusOf({ name }: Container, status: PodResourceStatus | undefined): SeenResources {
  const all = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])];
  return all.find((one) => one.name === name) ?? {};
}

function present(...all: readonly (Quantities | undefined)[]): Resources[] {
  return all.flatMap((quantities) => (quantities === undefined ? [] : [readResources(quantities)]));
}

function most(all: readonly Resources[]): Resources {
  return all.reduce(larger, NO_RESOURCES);
}

function hasAny(amounts: Resources): boolean {
  return Object.keys(amounts).length > 0;
}
