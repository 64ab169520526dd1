import { type KubeObject, type ObjectMeta, type OwnerReference, jsonEqual } from "@kindling/kube-objects";
import type { ResourceType } from "../resources/resource-type.ts";
import { type FieldError, forbiddenField, invalidValue, required, tooLong } from "../status/field-error.ts";
import { dnsLabel, forPrefix, labelValue, qualifiedName } from "../name-rules/names.ts";

const ANNOTATIONS_LIMIT = 256 * 1024;
const IMMUTABLE = "field is immutable";
const STANDARD_FINALIZERS = new Set(["kubernetes", "orphan", "foregroundDeletion"]);

/** What is wrong with the metadata of a new object. */
export function validateObjectMeta(type: ResourceType, metadata: ObjectMeta): FieldError[] {
  const errors: FieldError[] = [];
  const { namespaced, rules } = type;
  const { nameRule } = rules;
  const { name, generateName = "", namespace = "" } = metadata;
  if (generateName !== "") {
    errors.push(
      ...forPrefix(nameRule)(generateName).map((why) => invalidValue("metadata.generateName", generateName, why)),
    );
  }
  if (name === "" || name === undefined) errors.push(required("metadata.name", "name or generateName is required"));
  else errors.push(...nameRule(name).map((why) => invalidValue("metadata.name", name, why)));
  if (namespaced && namespace !== "") {
    errors.push(...dnsLabel(namespace).map((why) => invalidValue("metadata.namespace", namespace, why)));
  }
  errors.push(...validateLabels(metadata.labels, "metadata.labels"));
  errors.push(...validateAnnotations(metadata.annotations, "metadata.annotations"));
  errors.push(...validateOwnerReferences(metadata.ownerReferences));
  for (const finalizer of metadata.finalizers ?? []) {
    errors.push(...qualifiedName(finalizer).map((why) => invalidValue("metadata.finalizers", finalizer, why)));
  }
  if (type.strategicPatch) errors.push(...validateFinalizerDomains(metadata.finalizers ?? []));
  return errors;
}

function validateFinalizerDomains(finalizers: readonly string[]): FieldError[] {
  return finalizers.flatMap((finalizer, index) => {
    if (finalizer.includes("/") || STANDARD_FINALIZERS.has(finalizer)) return [];
    const why = "name is neither a standard finalizer name nor is it fully qualified";
    return [invalidValue(`metadata.finalizers[${index}]`, finalizer, why)];
  });
}

/** What is wrong with the metadata of an update. */
export function validateObjectMetaUpdate(next: KubeObject, current: KubeObject): FieldError[] {
  const errors: FieldError[] = [];
  const [meta, old] = [next.metadata, current.metadata];
  if (old.deletionTimestamp !== undefined) errors.push(...refuseNewFinalizers(meta, old));
  for (const field of [
    "name",
    "namespace",
    "uid",
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
  ] as const) {
    if (!jsonEqual(meta[field], old[field])) errors.push(invalidValue(`metadata.${field}`, meta[field], IMMUTABLE));
  }
  // Parts that are shared with the current object were validated before.
  if (meta.labels !== old.labels) errors.push(...validateLabels(meta.labels, "metadata.labels"));
  if (meta.annotations !== old.annotations) {
    errors.push(...validateAnnotations(meta.annotations, "metadata.annotations"));
  }
  if (meta.ownerReferences !== old.ownerReferences) errors.push(...validateOwnerReferences(meta.ownerReferences));
  return errors;
}

/** What is wrong with labels. */
export function validateLabels(labels: Readonly<Record<string, string>> | undefined, path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const [key, value] of Object.entries(labels ?? {})) {
    errors.push(...qualifiedName(key).map((why) => invalidValue(path, key, why)));
    errors.push(...labelValue(value).map((why) => invalidValue(path, value, why)));
  }
  return errors;
}

/** What is wrong with annotations. */
export function validateAnnotations(
  annotations: Readonly<Record<string, string>> | undefined,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of Object.entries(annotations ?? {})) {
    errors.push(...qualifiedName(key.toLowerCase()).map((why) => invalidValue(path, key, why)));
    size += Buffer.byteLength(key) + Buffer.byteLength(value);
  }
  if (size > ANNOTATIONS_LIMIT) errors.push(tooLong(path, ANNOTATIONS_LIMIT));
  return errors;
}

function validateOwnerReferences(references: readonly OwnerReference[] | undefined): FieldError[] {
  const path = "metadata.ownerReferences";
  const errors: FieldError[] = [];
  let controller: string | undefined;
  for (const reference of references ?? []) {
    const { apiVersion, kind, name, uid } = reference;
    if (apiVersion === "" || apiVersion.endsWith("/")) {
      errors.push(invalidValue(`${path}.apiVersion`, apiVersion, "version must not be empty"));
    }
    for (const [field, value] of [
      ["kind", kind],
      ["name", name],
      ["uid", uid],
    ] as const) {
      if (value === "") errors.push(invalidValue(`${path}.${field}`, value, "must not be empty"));
    }
    if (reference.controller !== true) continue;
    const its = `${kind}/${name}`;
    if (controller !== undefined) {
      const why = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${its}`;
      errors.push(invalidValue(path, references, why));
    }
    controller ??= its;
  }
  return errors;
}

function refuseNewFinalizers(meta: ObjectMeta, old: ObjectMeta): FieldError[] {
  const extra = (meta.finalizers ?? []).filter((finalizer) => old.finalizers?.includes(finalizer) !== true).sort();
  if (extra.length === 0) return [];
  const list = `[]string{${extra.map((finalizer) => JSON.stringify(finalizer)).join(", ")}}`;
  const why = `no new finalizers can be added if the object is being deleted, found new finalizers ${list}`;
  return [forbiddenField("metadata.finalizers", why)];
}
