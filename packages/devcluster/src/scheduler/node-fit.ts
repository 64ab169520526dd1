import type { Node, Taint } from "../objects/core.ts";
import type { NodeSelectorTerm, Pod } from "../objects/pod.ts";
import { tolerates } from "../objects/taints.ts";

/** Why a node does not suit a pod, no matter how much room it has, in the scheduler's words; undefined if it does. */
export function unsuitable(pod: Pod, node: Node): string | undefined {
  if (node.spec.unschedulable === true && !tolerates(pod, UNSCHEDULABLE)) return "node(s) were unschedulable";
  const taint = (node.spec.taints ?? []).find((one) => one.effect !== "PreferNoSchedule" && !tolerates(pod, one));
  if (taint !== undefined) return `node(s) had untolerated taint {${taint.key}: ${taint.value ?? ""}}`;
  if (!matchesSelector(pod, node) || !matchesAffinity(pod, node)) {
    return "node(s) didn't match Pod's node affinity/selector";
  }
  return undefined;
}

const UNSCHEDULABLE: Taint = { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" };

function matchesSelector({ spec }: Pod, { metadata }: Node): boolean {
  return Object.entries(spec.nodeSelector ?? {}).every(([key, value]) => metadata.labels?.[key] === value);
}

function matchesAffinity({ spec }: Pod, node: Node): boolean {
  const needed = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  if (needed === undefined) return true;
  return (needed.nodeSelectorTerms ?? []).some((term) => matchesTerm(term, node));
}

function matchesTerm({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm, { metadata }: Node): boolean {
  if (matchExpressions.length === 0 && matchFields.length === 0) return false;
  const fields: Record<string, string> = { "metadata.name": metadata.name };
  return (
    matchExpressions.every((expression) => matchesExpression(expression, metadata.labels ?? {})) &&
    matchFields.every((expression) => matchesExpression(expression, fields))
  );
}

function matchesExpression(
  { key, operator, values = [] }: { key: string; operator: string; values?: string[] },
  labels: Readonly<Record<string, string>>,
): boolean {
  const value = labels[key];
  switch (operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    default:
      return false;
  }
}
