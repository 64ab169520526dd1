import type { Role } from "../../finding.ts";
import { tolerationText } from "./taints.ts";

interface Refusal {
  readonly words: RegExp;
  readonly advice: (role: Role, found: readonly string[]) => string;
}

// Karpenter, pkg/controllers/provisioning/scheduling: one part for each NodePool, joined by "; ". If pools have different
// reasons, the first rows are reasons of a pool that is meant for the pod: a taint means that the pool is for others.
const REFUSALS: readonly Refusal[] = [
  {
    words: /exceed limits for nodepool|limits have been exhausted/i,
    advice: () => "the limits of the NodePool are reached: raise its spec.limits, or wait until others have ended",
  },
  {
    words: /volume requirements|persistentvolumeclaim/i,
    advice: () =>
      "the volume of a claim is in a zone, or on a node, for which no NodePool makes nodes, or the claim cannot be had at all: kubectl get pv -o wide and kubectl describe pvc show which; use a storage class with volumeBindingMode: WaitForFirstConsumer and a new claim",
  },
  {
    words: /host port/i,
    advice: (role) =>
      `the hostPort or hostNetwork of the pod template (spark.kubernetes.${role}.podTemplateFile) lets a node have one such pod: leave it out`,
  },
  {
    words: /no instance type has the required offering/i,
    advice: (role) =>
      `no machine is to be had as it is asked for, spot or on demand, in these zones: allow others in the NodePool's requirements, or leave them out of spark.kubernetes.node.selector.*, spark.kubernetes.${role}.node.selector.* and the pod template`,
  },
  {
    words: /no instance type/i,
    advice: (role) =>
      `no instance type that a NodePool allows is large enough beside its daemon sets: lower spark.${role}.cores (spark.kubernetes.${role}.request.cores) or spark.${role}.memory, or allow larger ones in the NodePool's requirements`,
  },
  {
    words: /label "([^"]+)" does not have known values|incompatible requirements, key ([^,\s]+)/i,
    advice: (role, [label = "it"]) =>
      `no NodePool makes nodes with the ${label} that is asked for: check spark.kubernetes.node.selector.${label}, spark.kubernetes.${role}.node.selector.${label} and the pod template, or add it to a NodePool's template or requirements`,
  },
  {
    words: /topology constraint|pod (?:anti-)?affinity/i,
    advice: (role) =>
      `the topologySpreadConstraints, podAffinity or podAntiAffinity of the pod template (spark.kubernetes.${role}.podTemplateFile) leave no place for a new node`,
  },
  {
    words: /did not tolerate (?:taint \(taint=)?([^\s;,()]+)/i,
    advice: (role, [taint = ""]) =>
      `if the pod may run there, add to spec.tolerations of a pod template (spark.kubernetes.${role}.podTemplateFile): ${tolerationOf(taint)}; otherwise a NodePool without taints is missing`,
  },
];

/** What would help if Karpenter makes no node for a pod; `undefined` for unknown words. */
export function karpenterAdvice(message: string, role: Role): string | undefined {
  for (const { words, advice } of REFUSALS) {
    const match = words.exec(message);
    if (match !== null)
      return advice(
        role,
        match.slice(1).filter((group) => group !== undefined),
      );
  }
  return undefined;
}

/** `key=value:NoSchedule` */
function tolerationOf(taint: string): string {
  const [, key = taint, value = "", effect = ""] = /^([^=:]+)(?:=([^:]*))?(?::(\w+))?$/.exec(taint) ?? [];
  return tolerationText({ key, value, effect });
}
