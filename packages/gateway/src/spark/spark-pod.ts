import { isObject, type KubeObject, type OwnerReference } from "@kindling/kube-objects";
import type { EventSubject } from "@kindling/controller";
import {
  SCHEDULER_GATEWAY_LABEL,
  SPARK_APP_ID_LABEL,
  SPARK_ROLE_DRIVER,
  SPARK_ROLE_EXECUTOR,
  SPARK_ROLE_LABEL,
} from "@kindling/core-spec";
import { objectAt, objectsAt, textAt } from "../json/fields.ts";
import { hasSparkEnded, isKeeper } from "./keeper.ts";
import { DRIVER_UID, SET } from "./marks.ts";

const TERMINAL: ReadonlySet<string | undefined> = new Set(["Succeeded", "Failed"]);

const SET_CONTROLLERS: ReadonlySet<string> = new Set(["StatefulSet", "ReplicaSet"]);

/** Whether a pod is the driver of an application that has a name. */
export function isDriver({ metadata: { labels } }: KubeObject): boolean {
  return labels?.[SPARK_ROLE_LABEL] === SPARK_ROLE_DRIVER && (labels[SPARK_APP_ID_LABEL] ?? "") !== "";
}

/** Whether a pod is a driver whose executors the gateway makes. */
export function isGatewayDriver(pod: KubeObject): boolean {
  return isDriver(pod) && pod.metadata.labels?.[SCHEDULER_GATEWAY_LABEL] === "true";
}

/** Whether a pod is an executor. A keeper has the same label, but its executor is gone. */
export function isExecutor(pod: KubeObject): boolean {
  return pod.metadata.labels?.[SPARK_ROLE_LABEL] === SPARK_ROLE_EXECUTOR && !isKeeper(pod);
}

/**
 * Whether a driver or an executor has ended for good. A pod that is being deleted has not ended: its driver is still cleaning
 * up. An executor with a shuffle server has ended when Spark has, though its pod goes on.
 */
export function hasEnded(pod: KubeObject): boolean {
  return !takesRoom(pod) || hasSparkEnded(pod);
}

/**
 * A deleted pod as its driver has to see it. Spark takes no pod for deleted that runs, and so it would believe in one that was
 * deleted at once until it lists all pods again, every 30 seconds (ExecutorPodsSnapshot.scala,
 * spark.kubernetes.executor.apiPollingInterval).
 */
export function deletedAsSeen(pod: KubeObject): KubeObject {
  const deletionTimestamp = pod.metadata.deletionTimestamp ?? pod.metadata.creationTimestamp;
  return {
    ...pod,
    metadata: { ...pod.metadata, deletionTimestamp },
    status: { ...objectAt(pod, "status"), phase: "Failed" },
  };
}

/** Whether a pod has something of its node: not all of its containers have ended for good. */
export function takesRoom(pod: KubeObject): boolean {
  return !TERMINAL.has(textAt(pod, "status", "phase"));
}

/** Whether a pod still has something of its node for the files of an executor that has ended. */
export function isLeftBehind(pod: KubeObject): boolean {
  return (isKeeper(pod) || hasSparkEnded(pod)) && takesRoom(pod);
}

/** The application that an object says it belongs to. */
export function applicationIdOf({ metadata: { labels } }: KubeObject): string | undefined {
  return labels?.[SPARK_APP_ID_LABEL];
}

/** The scheduling gates that hold a pod back. */
export function gatesOf(pod: KubeObject): string[] {
  return objectsAt(pod, "spec", "schedulingGates").flatMap((gate) => textAt(gate, "name") ?? []);
}

/** A pod, as owner references name it. */
export interface PodRef {
  readonly name: string;
  readonly uid: string;
}

/** The pods that own an object. Owners of other kinds are left out. */
export function owningPods({ metadata: { ownerReferences = [] } }: KubeObject): PodRef[] {
  return ownerReferences.filter(isPodRef);
}

function isPodRef({ kind, apiVersion }: OwnerReference): boolean {
  return kind === "Pod" && apiVersion === "v1";
}

/** Whether one of an object's owners is this pod, by the uid that the driver knows. */
export function isOwnedBy({ metadata: { ownerReferences = [] } }: KubeObject, { name, uid }: PodRef): boolean {
  return ownerReferences.some((owner) => owner.uid === uid && owner.name === name && isPodRef(owner));
}

/** The set that controls a pod; for a pod of a Deployment, its ReplicaSet. Drivers cannot forge this reference. */
export function controllingSet({ metadata: { ownerReferences = [] } }: KubeObject): OwnerReference | undefined {
  return ownerReferences.find(
    ({ apiVersion, kind, controller }) => apiVersion === "apps/v1" && controller === true && SET_CONTROLLERS.has(kind),
  );
}

/** The mark of the set to which a pod belongs. The annotation is trusted only if a set controls the pod. */
export function setMarkOf(pod: KubeObject): string | undefined {
  return controllingSet(pod) === undefined ? undefined : pod.metadata.annotations?.[SET];
}

/** Whether a pod belongs to a set that a driver asked for. */
export function isOfSet(pod: KubeObject): boolean {
  return setMarkOf(pod) !== undefined;
}

/** The uids of the drivers to which a pod belongs, according to itself: its owners, and the driver of its set. */
export function driversOf(pod: KubeObject): string[] {
  return [...owningPods(pod).map(({ uid }) => uid), ...driverOfSet(pod)];
}

/** Whether a pod belongs to this driver. */
export function isOfDriver(pod: KubeObject, driver: PodRef): boolean {
  return isOwnedBy(pod, driver) || driverOfSet(pod).includes(driver.uid);
}

function driverOfSet(pod: KubeObject): string[] {
  const driver = pod.metadata.annotations?.[DRIVER_UID];
  return driver !== undefined && isOfSet(pod) ? [driver] : [];
}

/** BasicExecutorFeatureStep: with spark.decommission.enabled, and only then, the container has a preStop hook of Spark's. */
export function isToldBeforeItsEnd(executor: KubeObject): boolean {
  return objectsAt(executor, "spec", "containers").some((container) =>
    isObject(objectAt(container, "lifecycle", "preStop")["exec"]),
  );
}

/** A pod as the subject of events; items of a list have no `kind` and `apiVersion`. */
export function podSubject({ metadata }: KubeObject): EventSubject {
  return { apiVersion: "v1", kind: "Pod", metadata };
}
