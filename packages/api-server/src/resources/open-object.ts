import { type JsonObject, isObject, type KubeObject } from "@kindling/kube-objects";
import { type DecodeOptions, decode } from "../schema/decode.ts";
import { objectMetaType } from "../schema/meta-schema.ts";
import type { Field, StructType } from "../schema/types.ts";

/** The fields that every object has. */
export function identityFields(): Field[] {
  return [
    freeField("apiVersion", { kind: "string" }),
    freeField("kind", { kind: "string" }),
    freeField("metadata", objectMetaType),
  ];
}

/** The type of objects that may have any fields. */
export function openType(kind: string): StructType {
  const fields = identityFields();
  const byName = new Map(fields.map((one) => [one.name, one]));
  return { kind: "struct", name: kind, package: "", fields, byName, atomic: false, open: true };
}

/** An optional field without a default. */
export function freeField(name: string, type: Field["type"]): Field {
  return {
    name,
    type,
    pointer: true,
    omit: "empty",
    required: false,
    mergeKey: undefined,
    retainKeys: false,
    default: undefined,
    number: "",
    silent: true,
  };
}

/**
 * Reads an object of a kind without its own type: only the metadata has a schema; the rest is kept as it is.
 *
 * @throws DecodeError if the metadata has values of the wrong JSON type.
 */
export function decodeOpen(
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
  body: JsonObject,
  { onUnknownField }: DecodeOptions,
): KubeObject {
  const { kind: _kind, apiVersion: _version, metadata, ...rest } = body;
  const meta = decode(objectMetaType, isObject(metadata) ? metadata : {}, {
    defaults: false,
    ...(onUnknownField === undefined ? {} : { onUnknownField: (path: string) => onUnknownField(`metadata.${path}`) }),
  });
  return { apiVersion, kind, metadata: meta as KubeObject["metadata"], ...rest };
}
