import { type Json, isObject, type KubeObject } from "@kindling/kube-objects";
import type { ManagedFields } from "../storage/stored-object.ts";

/**
 * Takes the managed fields out of an object that a client sent. Undefined means "as they are": the client left them out, or
 * sent invalid ones; `[{}]` is the documented way to clear them.
 */
export function takeManagedFields(object: KubeObject): readonly ManagedFields[] | undefined {
  const metadata = object.metadata as KubeObject["metadata"] & { managedFields?: Json };
  const sent = metadata.managedFields;
  delete metadata.managedFields;
  if (!Array.isArray(sent) || sent.length === 0) return undefined;
  const [first] = sent;
  if (sent.length === 1 && isObject(first) && Object.keys(first).length === 0) return [];
  const entries = sent.map(entryOf);
  return entries.every((entry) => entry !== undefined) ? entries : undefined;
}

function entryOf(value: Json): ManagedFields | undefined {
  if (!isObject(value)) return undefined;
  const { manager, operation, apiVersion, time, fieldsType, fieldsV1, subresource } = value;
  if (operation !== "Apply" && operation !== "Update") return undefined;
  if (typeof apiVersion !== "string" || apiVersion === "" || fieldsType !== "FieldsV1") return undefined;
  return {
    manager: typeof manager === "string" ? manager : "unknown",
    operation,
    apiVersion,
    time: typeof time === "string" ? time : "",
    fields: JSON.stringify(fieldsV1 ?? {}),
    ...(typeof subresource === "string" && subresource !== "" ? { subresource } : {}),
  };
}

/** The managed fields as clients see them. */
export function presentManagedFields(managed: readonly ManagedFields[]): Json[] {
  return managed.map(({ fields, time, ...entry }) => ({
    ...entry,
    ...(time === "" ? {} : { time }),
    fieldsType: "FieldsV1",
    fieldsV1: JSON.parse(fields) as Json,
  }));
}
