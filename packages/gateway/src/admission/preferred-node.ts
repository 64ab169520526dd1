import { isObject, type JsonObject, type KubeObject } from "@kindling/kube-objects";
import { objectAt, objectsAt } from "../json/fields.ts";

const PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";
/** The greatest weight that a preference may have. */
const WEIGHT = 100;

/**
 * The affinity of a pod, with a preference for the node on which there is room for it by the plan: if pods went elsewhere,
 * the room that is kept there for others would be lost. Nothing is required: the scheduler of Kubernetes may know better.
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
