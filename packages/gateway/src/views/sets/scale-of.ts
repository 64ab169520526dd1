import type { JsonObject, KubeObject } from "@kindling/kube-objects";
import { objectAt } from "../../json/fields.ts";

/** The Scale of a set, as Kubernetes shows it. Its selector has only labels, because Spark uses nothing else. */
export function scaleOf(set: KubeObject): JsonObject {
  const { name, namespace = "", uid, resourceVersion, creationTimestamp } = set.metadata;
  const labels = Object.entries(objectAt(set, "spec", "selector", "matchLabels")).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: { replicas: objectAt(set, "spec")["replicas"] ?? 0 },
    status: {
      replicas: objectAt(set, "status")["replicas"] ?? 0,
      selector: labels.map(([label, value]) => `${label}=${String(value)}`).join(","),
    },
  };
}
