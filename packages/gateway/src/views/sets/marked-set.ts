import type { KubeObject } from "@kindling/kube-objects";
import { objectAt } from "../../json/fields.ts";
import { markOf, type SetKind } from "../../spark/set-marks.ts";
import { DRIVER_UID, SET } from "../../spark/marks.ts";

/**
 * A set whose pods are marked with their set and their driver. (The owner of the pods is the set, or a ReplicaSet that it
 * created.)
 */
export function markedSet(kind: SetKind, set: KubeObject, driverUid: string): KubeObject {
  const spec = objectAt(set, "spec");
  const template = objectAt(spec, "template");
  const metadata = objectAt(template, "metadata");
  const annotations = {
    ...objectAt(metadata, "annotations"),
    [DRIVER_UID]: driverUid,
    [SET]: markOf(kind, set.metadata.name),
  };
  return { ...set, spec: { ...spec, template: { ...template, metadata: { ...metadata, annotations } } } };
}
