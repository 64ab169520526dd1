import type { Json, JsonObject, KubeObject } from "@kindling/kube-objects";
import {
  SCHEDULER_GATEWAY_LABEL,
  SCHEDULER_KUEUE_QUEUE_LABEL,
  SCHEDULER_QUEUE_LABEL,
  SCHEDULER_RESTART_FINALIZER,
  SCHEDULER_RESTART_OF_ANNOTATION,
  SCHEDULER_STAND_IN_ROLE,
  SPARK_ROLE_LABEL,
  standInName,
} from "@kindling/core-spec";
import { objectAt, objectsAt } from "../../json/fields.ts";
import { applicationIdOf, gatesOf, isDriver } from "../../spark/spark-pod.ts";
import { follows, parseDriver } from "./next-driver.ts";

/**
 * Between two driver pods of one name there is a moment without either. During this time a third pod stands in for them: it
 * holds the spec of the next driver pod, and owns what the driver owns. It has a scheduling gate that is never removed, so it
 * never runs. It is a pod so that only those can read it who could read the driver's pod, and because the watch of pods shows
 * it after a restart of the gateway.
 */
export interface StandIn {
  readonly pod: KubeObject;
  /** The uid of the driver pod that has ended. */
  readonly endedUid: string;
  readonly next: KubeObject;
}

const MANIFEST = "gateway.kindling/next-driver";
/** Labels that would make others take it for a driver or for work. */
const OF_DRIVERS = new Set<string>([SCHEDULER_GATEWAY_LABEL, SCHEDULER_QUEUE_LABEL, SCHEDULER_KUEUE_QUEUE_LABEL]);
const OF_KUEUE = /^kueue\.x-k8s\.io\//;
/** What a pod that never runs takes from a quota. Quotas of other resources do not require a request. */
const LITTLE: Readonly<Record<string, string>> = { cpu: "1m", memory: "1Mi", "ephemeral-storage": "1Mi" };

/**
 * Reads a pod as a stand-in; undefined for any other pod. The pod in it will be created, so it is trusted only under two
 * conditions. The driver must have the same namespace and application. And the stand-in must have been created with a gate,
 * so that it never runs; this cannot be added to a pod later.
 */
export function standInOf(pod: KubeObject | undefined): StandIn | undefined {
  const { annotations = {}, labels = {} } = pod?.metadata ?? {};
  if (pod === undefined || labels[SPARK_ROLE_LABEL] !== SCHEDULER_STAND_IN_ROLE) return undefined;
  if (!gatesOf(pod).includes(SCHEDULER_RESTART_FINALIZER)) return undefined;
  const endedUid = annotations[SCHEDULER_RESTART_OF_ANNOTATION];
  const next = parseDriver(annotations[MANIFEST]);
  if (endedUid === undefined || next === undefined || !isDriver(next) || !follows(next, endedUid)) return undefined;
  const isOfPod =
    next.metadata.namespace === pod.metadata.namespace &&
    standInName(next.metadata.name) === pod.metadata.name &&
    applicationIdOf(next) === applicationIdOf(pod);
  return isOfPod ? { pod, endedUid, next } : undefined;
}

/**
 * The stand-in of a driver pod that has ended.
 *
 * @param room `little`; or as much as the driver asks for, if less is refused
 */
export function standIn(ended: KubeObject, next: KubeObject, room: "little" | "as-asked"): KubeObject {
  const { name, namespace, labels = {}, ownerReferences, uid } = ended.metadata;
  const kept = Object.entries(labels).filter(([label]) => !OF_DRIVERS.has(label) && !OF_KUEUE.test(label));
  const { securityContext, serviceAccountName, nodeSelector, tolerations } = objectAt(ended, "spec");
  const spec: Readonly<Record<string, Json | undefined>> = {
    ...{ securityContext, serviceAccountName, nodeSelector, tolerations },
    automountServiceAccountToken: false,
    restartPolicy: "Never",
    schedulingGates: [{ name: SCHEDULER_RESTART_FINALIZER }],
    containers: objectsAt(ended, "spec", "containers").map((container) => idle(container, room)),
  };
  return withoutUndefined({
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: standInName(name),
      namespace,
      labels: { ...Object.fromEntries(kept), [SPARK_ROLE_LABEL]: SCHEDULER_STAND_IN_ROLE },
      annotations: { [SCHEDULER_RESTART_OF_ANNOTATION]: uid, [MANIFEST]: JSON.stringify(next) },
      ownerReferences,
    },
    spec: withoutUndefined(spec),
  }) as unknown as KubeObject;
}

function idle({ name, image, securityContext, resources }: JsonObject, room: "little" | "as-asked"): JsonObject {
  const asked =
    room === "little"
      ? { limits: little(objectAt(resources, "limits")), requests: little(objectAt(resources, "requests")) }
      : resources;
  return withoutUndefined({ name, image, securityContext, resources: asked });
}

function little(amounts: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.keys(amounts).flatMap((name) => (name in LITTLE ? [[name, LITTLE[name] ?? ""]] : [])),
  );
}

function withoutUndefined(fields: Readonly<Record<string, unknown>>): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as JsonObject;
}
