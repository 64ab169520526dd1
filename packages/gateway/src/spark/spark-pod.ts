import type { KubeObject } from "@kindling/api-server";
import { SPARK_APP_ID_LABEL, SPARK_ROLE_DRIVER, SPARK_ROLE_EXECUTOR, SPARK_ROLE_LABEL } from "@kindling/core-spec";
import { objectsAt, textAt } from "../json/fields.ts";
import { DRIVER_UID } from "../views/marks.ts";

const TERMINAL: ReadonlySet<string | undefined> = new Set(["Succeeded", "Failed"]);

const SET_CONTROLLERS: ReadonlySet<string> = new Set(["StatefulSet", "ReplicaSet"]);

/** Whether a pod is the driver of an application that has a name. */
export function isDriver({ metadata: { labels } }: KubeObject): boolean {
  return labels?.[SPARK_ROLE_LABEL] === SPARK_ROLE_DRIVER && (labels[SPARK_APP_ID_LABEL] ?? "") !== "";
}

export function isExecutor({ metadata: { labels } }: KubeObject): boolean {
  return labels?.[SPARK_ROLE_LABEL] === SPARK_ROLE_EXECUTOR;
}

/** Whether a pod's containers have ended for good. One that is being deleted has not: a driver cleans up meanwhile. */
export function hasEnded(pod: KubeObject): boolean {
  return TERMINAL.has(textAt(pod, "status", "phase"));
}

/** The application that an object says it belongs to. */
export function applicationIdOf({ metadata: { labels } }: KubeObject): string | undefined {
  return labels?.[SPARK_APP_ID_LABEL];
}

/** The scheduling gates that hold a pod back. */
export function gatesOf(pod: KubeObject): string[] {
  return objectsAt(pod, "spec", "schedulingGates").flatMap((gate) => textAt(gate, "name") ?? []);
}

/** The uids of the pods that own an object. */
export function owningPods({ metadata: { ownerReferences = [] } }: KubeObject): string[] {
  return ownerReferences.filter(({ kind, apiVersion }) => kind === "Pod" && apiVersion === "v1").map(({ uid }) => uid);
}

/**
 * The uids of the drivers that a pod belongs to: those that own it, and the one whose set it is of. What a pod says of
 * sets is believed only of one that a set controls, which no driver can make a pod say.
 */
export function driversOf(pod: KubeObject): string[] {
  const { annotations, ownerReferences = [] } = pod.metadata;
  const driver = annotations?.[DRIVER_UID];
  const isOfSet = ownerReferences.some(
    ({ apiVersion, kind, controller }) => apiVersion === "apps/v1" && controller === true && SET_CONTROLLERS.has(kind),
  );
  return driver !== undefined && isOfSet ? [...owningPods(pod), driver] : owningPods(pod);
}

/** Whether one of an object's owners is this pod, by the uid that the driver knows it by. */
export function isOwnedBy(object: KubeObject, { uid }: { readonly uid: string }): boolean {
  return owningPods(object).includes(uid);
}
