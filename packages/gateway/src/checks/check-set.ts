import type { JsonObject, KubeObject } from "@kindling/kube-objects";
import { type ApiError, badRequest, forbidden } from "@kindling/api-server";
import { SPARK_APP_ID_LABEL, SPARK_ROLE_EXECUTOR, SPARK_ROLE_LABEL } from "@kindling/core-spec";
import { objectAt } from "../json/fields.ts";
import { type Asking, type ExecutorLimits, refusedPod } from "./check-executor.ts";
import type { SetKind } from "../spark/set-marks.ts";

/**
 * Why a driver may not have this set, now or ever. The same rules apply to its pods as to executors, and the set may select
 * only pods of its own application.
 *
 * @param asking with the number of executors outside the set
 */
export function refusedSet(
  kind: SetKind,
  set: KubeObject,
  replicas: number,
  asking: Asking,
  limits: ExecutorLimits,
): ApiError | undefined {
  const { name } = set.metadata;
  const resource = { group: "apps", resource: kind };
  // A controller adopts every pod that it selects and that has no other controller, and may delete it.
  const selected = objectAt(set, "spec", "selector", "matchLabels");
  if (selected[SPARK_APP_ID_LABEL] !== asking.id || selected[SPARK_ROLE_LABEL] !== SPARK_ROLE_EXECUTOR) {
    const own = `${SPARK_APP_ID_LABEL}=${asking.id},${SPARK_ROLE_LABEL}=${SPARK_ROLE_EXECUTOR}`;
    return forbidden(resource, name, `its selector must have ${own}: a driver's set is of its own executors`);
  }
  return refusedPod(podOf(set), asking, limits, resource) ?? refusedReplicas(kind, name, replicas, asking, limits);
}

/** Why a set may not have so many replicas, given the executors that there already are. */
export function refusedReplicas(
  kind: SetKind,
  name: string,
  replicas: number,
  { executors }: Pick<Asking, "executors">,
  { most }: Pick<ExecutorLimits, "most">,
): ApiError | undefined {
  if (executors + replicas <= most) return undefined;
  const why = `at most ${most} executor pods are allowed for one application`;
  return forbidden({ group: "apps", resource: kind }, name, why);
}

/**
 * How many pods a set or a Scale asks for; one, if it says nothing.
 *
 * @throws ApiError 400
 */
export function replicasOf(object: JsonObject): number {
  const replicas = objectAt(object, "spec")["replicas"] ?? 1;
  if (typeof replicas === "number" && Number.isInteger(replicas) && replicas >= 0) return replicas;
  throw badRequest("spec.replicas must be a whole number from 0 on");
}

/** The pods that a set will have, as if the driver had asked for one. */
function podOf({ metadata, ...set }: KubeObject): KubeObject {
  const template = objectAt(set, "spec", "template");
  const labels = textsIn(objectAt(template, "metadata", "labels"));
  const annotations = textsIn(objectAt(template, "metadata", "annotations"));
  return { ...set, metadata: { ...metadata, labels, annotations }, spec: objectAt(template, "spec") };
}

function textsIn(map: JsonObject): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [key, value] of Object.entries(map)) if (typeof value === "string") texts[key] = value;
  return texts;
}
