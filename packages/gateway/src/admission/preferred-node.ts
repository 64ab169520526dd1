import { isObject, type JsonObject, type KubeObject } from "@kindling/kube-objects";
import { objectAt, objectsAt } from "../json/fields.ts";

const PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";
/** The highest weight that a preference can have. */
const WEIGHT = 100;

/**
 * The affinity of a pod, with a preference for the node that the plan chose for it. If pods went to other nodes, they would
 * take room that is kept there for others. It is only a preference, because the Kubernetes scheduler may know better.
 */
export function preferredNode(pod: KubeObject, node: string): JsonObject {
  const affinity = objectAt(pod, "spec", "affinity");
  const nodeAffinity = objectAt(affinity, "nodeAffinity");
  const preference = {
    weight: WEIGHT,
    preference: { matchFields: [{ key: "metadata.name", operator: "In", values: [node] }] },
  };
  return {
    ...affinity,
    nodeAffinity: { ...nodeAffinity, [PREFERRED]: [...objectsAt(nodeAffinity, PREFERRED), preference] },
  };
}

/** The pod with this preference. */
export function preferringNode(pod: KubeObject, node: string): KubeObject {
  const spec = pod["spec"];
  return isObject(spec) ? { ...pod, spec: { ...spec, affinity: preferredNode(pod, node) } } : pod;
}
