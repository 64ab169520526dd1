import type {
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PodSpec,
  Taint,
  Toleration,
} from "kubernetes-types/core/v1.js";

/** The nodes on which a pod may run, according to its spec. Preferences, and rules about other pods, are ignored. */
export interface Placement {
  readonly nodeSelector: Readonly<Record<string, string>>;
  /** One of these must match; `undefined` if the pod has no required node affinity. */
  readonly nodeAffinity: readonly NodeSelectorTerm[] | undefined;
  readonly tolerations: readonly Toleration[];
}

export const ANYWHERE: Placement = { nodeSelector: {}, nodeAffinity: undefined, tolerations: [] };

export function placementOf({ nodeSelector, affinity, tolerations }: PodSpec): Placement {
  return {
    nodeSelector: nodeSelector ?? {},
    nodeAffinity: affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms,
    tolerations: (tolerations ?? []).filter((toleration) => !isFromAdmission(toleration)),
  };
}

/**
 * Whether the API server gives a toleration to each pod (Kubernetes, admission plugin DefaultTolerationSeconds). It permits no
 * placement: such nodes also have a taint NoSchedule. Without it, a pod and the request for it have the same placement.
 */
function isFromAdmission({ key, effect, tolerationSeconds }: Toleration): boolean {
  return (
    effect === "NoExecute" &&
    tolerationSeconds !== undefined &&
    (key === "node.kubernetes.io/not-ready" || key === "node.kubernetes.io/unreachable")
  );
}

/** The part of a node that decides which pods may run on it. */
export interface PlacementTarget {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
}

/** Whether the Kubernetes scheduler would allow a pod on a node, if there is room. */
export function mayBePlaced({ nodeSelector, nodeAffinity, tolerations }: Placement, target: PlacementTarget): boolean {
  return (
    Object.entries(nodeSelector).every(([label, value]) => target.labels[label] === value) &&
    (nodeAffinity === undefined || nodeAffinity.some((term) => termHolds(term, target))) &&
    target.taints.every(
      (taint) => taint.effect === "PreferNoSchedule" || tolerations.some((one) => tolerates(one, taint)),
    )
  );
}

/** A term without requirements matches no node. */
function termHolds({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm, target: PlacementTarget): boolean {
  if (matchExpressions.length + matchFields.length === 0) return false;
  return (
    matchExpressions.every((requirement) => requirementHolds(requirement, target.labels[requirement.key])) &&
    matchFields.every((requirement) =>
      requirementHolds(requirement, requirement.key === "metadata.name" ? target.name : undefined),
    )
  );
}

function requirementHolds({ operator, values = [] }: NodeSelectorRequirement, value: string | undefined): boolean {
  switch (operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    case "Gt":
      return value !== undefined && Number(value) > Number(values[0]);
    case "Lt":
      return value !== undefined && Number(value) < Number(values[0]);
    default:
      return false;
  }
}

/** Whether a toleration covers a taint: an empty key covers every taint, an empty effect every effect. */
export function tolerates({ key, operator, value, effect }: Toleration, taint: Taint): boolean {
  if (effect !== undefined && effect !== "" && effect !== taint.effect) return false;
  if (key === undefined || key === "") return operator === "Exists";
  if (key !== taint.key) return false;
  return operator === "Exists" || (value ?? "") === (taint.value ?? "");
}
