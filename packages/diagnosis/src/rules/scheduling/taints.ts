import type { Role } from "../../finding.ts";

/**
 * Taints that Kubernetes and autoscalers put on nodes that accept no pods for the time being; pods should not tolerate them.
 */
const OF_THE_MOMENT =
  /^(?:node\.kubernetes\.io\/|node\.cloudprovider\.kubernetes\.io\/|node\.cilium\.io\/|karpenter\.sh\/(?:disrupt|unregistered)|ToBeDeletedByClusterAutoscaler|DeletionCandidateOfClusterAutoscaler|ebs\.csi\.aws\.com\/agent-not-ready)/;
const CONTROL_PLANE = /^node-role\.kubernetes\.io\/(?:control-plane|master)$/;

interface Taint {
  readonly key: string;
  readonly value: string;
}

/** `node(s) had untolerated taint {key: value}`, before 1.24 `node(s) had taint {key: value}, that the pod didn't tolerate`. */
function taintsIn(texts: readonly string[]): Taint[] {
  const found = texts.flatMap((text) =>
    [...text.matchAll(/\{([^:{}\s]+)(?::\s*([^{}]*))?\}/g)].map(([, key = "", value = ""]) => ({
      key,
      value: value.trim(),
    })),
  );
  return [...new Map(found.map((taint) => [`${taint.key}=${taint.value}`, taint])).values()];
}

/** Whether only nodes of the control plane say this: it is the normal setup of clusters, and not the first reason to show. */
export function isOfControlPlane(text: string): boolean {
  const taints = taintsIn([text]);
  return taints.length > 0 && taints.every(({ key }) => CONTROL_PLANE.test(key));
}

/**
 * The missing toleration, as it is written in a pod template. The scheduler does not name the effect, and without it the
 * toleration is for every effect.
 */
export function taintAdvice(role: Role, texts: readonly string[]): string {
  const taints = taintsIn(texts);
  const own = taints.filter(({ key }) => !OF_THE_MOMENT.test(key) && !CONTROL_PLANE.test(key));
  if (own.length > 0) {
    const tolerations = own.slice(0, 3).map(tolerationText).join(", ");
    return (
      `if the pod may run there, add to spec.tolerations of a pod template (spark.kubernetes.${role}.podTemplateFile): ${tolerations}; ` +
      "driver and executors have a template each"
    );
  }
  if (taints.some(({ key }) => OF_THE_MOMENT.test(key)))
    return "those nodes take no pods for the time being (not ready, new, cordoned, or on their way out): kubectl get nodes; add a node if that lasts";
  if (taints.length > 0) return "only nodes of the control plane are left, which take no such pods: add a node";
  return `name a toleration in a pod template: spark.kubernetes.${role}.podTemplateFile; kubectl describe nodes shows the taints`;
}

/** A toleration as it is written in a pod template. */
export function tolerationText({ key, value, effect }: Taint & { readonly effect?: string }): string {
  const operator = value === "" ? "operator: Exists" : `operator: Equal, value: "${value}"`;
  return `{key: ${key}, ${operator}${effect === undefined || effect === "" ? "" : `, effect: ${effect}`}}`;
}
