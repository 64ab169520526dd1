import type { JsonObject, OwnerReference } from "@kindling/kube-objects";
import { objectAt, objectsAt, textAt } from "../json/fields.ts";
import type { PodRef } from "../spark/spark-pod.ts";

/**
 * Labels and annotations by which gateways recognise what they have created. They are trusted, so drivers may not write them.
 */
const OURS = "gateway.kindling/";
/** What submissions tell the gateway on driver pods. On other objects it has no meaning. */
const OF_DRIVERS = "scheduler.kindling/";

/** Whether a label or an annotation is the gateway's own. */
export function isGatewaysOwn(key: string): boolean {
  return key.startsWith(OURS);
}

/** Who may own an object, and the words for a driver that named another owner. */
export interface Owners {
  readonly mayOwn: (owner: OwnerReference) => boolean;
  readonly words: string;
}

/** Only this driver's pod may be the owner: by kind, version, name and uid. */
export function driverAlone({ name, uid }: PodRef): Owners {
  const mayOwn = (owner: OwnerReference): boolean =>
    owner.apiVersion === "v1" && owner.kind === "Pod" && owner.name === name && owner.uid === uid;
  return { mayOwn, words: "its owner can only be the driver's pod" };
}

/**
 * What is wrong with the metadata of an object that a driver wants to create, or with the metadata of a template in it.
 *
 * @param path where the metadata is
 */
export function metadataProblem(metadata: JsonObject, path: string, owners: Owners): string | undefined {
  for (const map of ["labels", "annotations"]) {
    const mark = Object.keys(objectAt(metadata, map)).find(isGatewaysOwn);
    if (mark !== undefined) return `it has ${path}.${map}[${mark}], which is the gateway's own`;
  }
  if (hasMembers(metadata["finalizers"])) {
    return `it has ${path}.finalizers, and an object with finalizers may never be deleted: a driver may not set them`;
  }
  return objectsAt(metadata, "ownerReferences").every((owner) => owners.mayOwn(ownerReference(owner)))
    ? undefined
    : owners.words;
}

/** Why a pod, or a template of pods, might never start. */
export function gatesProblem(spec: JsonObject, path: string): string | undefined {
  if (!hasMembers(spec["schedulingGates"])) return undefined;
  return `it has ${path}.schedulingGates, and nobody would remove them: a driver may not set them`;
}

/** Removes the keys that submissions write on driver pods: a template for drivers and executors may have them, too. */
export function withoutDriversOwn(texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const entries = Object.entries(texts);
  const others = entries.filter(([key]) => !key.startsWith(OF_DRIVERS));
  return others.length === entries.length ? texts : Object.fromEntries(others);
}

function hasMembers(list: unknown): boolean {
  return list !== undefined && list !== null && !(Array.isArray(list) && list.length === 0);
}

function ownerReference(owner: JsonObject): OwnerReference {
  const text = (name: string): string => textAt(owner, name) ?? "";
  return { apiVersion: text("apiVersion"), kind: text("kind"), name: text("name"), uid: text("uid") };
}
