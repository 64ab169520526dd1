import type { JsonObject, KubeObject } from "@kindling/kube-objects";
import { objectAt, objectsAt } from "../json/fields.ts";

/** The state of a pod's container as the kubelet reports it: with `running`, `waiting` or `terminated`; empty if it is not known. */
export function containerState(pod: KubeObject, container: string): JsonObject {
  const status = objectsAt(pod, "status", "containerStatuses").find(({ name }) => name === container);
  return objectAt(status, "state");
}
