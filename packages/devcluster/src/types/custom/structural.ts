import { type Json, type JsonObject, isObject } from "@kindling/kube-objects";
import type { JsonSchema } from "../../objects/custom-resource-definition.ts";

/** Metadata and identity belong to the server, no matter what the schema says. */
const ROOT_FIELDS = new Set(["apiVersion", "kind", "metadata"]);

/** Drops the fields that a schema does not know, and reports each with its path. */
export function prune(schema: JsonSchema, object: JsonObject, onUnknown: ((path: string) => void) | undefined): void {
  pruneObject(schema, object, "", onUnknown, true);
}

function pruneObject(
  schema: JsonSchema,
  object: JsonObject,
  path: string,
  onUnknown: ((path: string) => void) | undefined,
  root: boolean,
): void {
  const embedded = root || schema["x-kubernetes-embedded-resource"] === true;
  for (const [key, value] of Object.entries(object)) {
    if (embedded && ROOT_FIELDS.has(key)) continue;
    const at = path === "" ? key : `${path}.${key}`;
    const known = propertySchema(schema, key);
    if (known === undefined) {
      if (schema["x-kubernetes-preserve-unknown-fields"] === true) continue;
      delete object[key];
      onUnknown?.(at);
    } else if (value !== undefined) {
      pruneValue(known, value, at, onUnknown);
    }
  }
}

function pruneValue(
  schema: JsonSchema,
  value: Json,
  path: string,
  onUnknown: ((path: string) => void) | undefined,
): void {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items !== undefined) value.forEach((item, index) => pruneValue(items, item, `${path}[${index}]`, onUnknown));
  } else if (isObject(value)) {
    const free = schema.properties === undefined && schema.additionalProperties === true;
    if (!free) pruneObject(schema, value, path, onUnknown, false);
  }
}

/** The schema of a property; undefined if the object's schema does not know it. */
function propertySchema(schema: JsonSchema, key: string): JsonSchema | undefined {
  const { properties, additionalProperties } = schema;
  const own = properties !== undefined && Object.hasOwn(properties, key) ? properties[key] : undefined;
  if (own !== undefined) return own;
  if (additionalProperties === true) return {};
  return typeof additionalProperties === "object" ? additionalProperties : undefined;
}

/** Fills in the defaults of a schema; nulls that a schema does not allow count as missing. */
export function fillDefaults(schema: JsonSchema, value: Json): void {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items !== undefined) for (const item of value) fillDefaults(items, item);
    return;
  }
  if (!isObject(value)) return;
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    const given = value[key];
    const nulled = given === null && property.nullable !== true;
    if (property.default !== undefined && (given === undefined || nulled))
      value[key] = structuredClone(property.default);
    else if (nulled) delete value[key];
    const now = value[key];
    if (now !== undefined) fillDefaults(property, now);
  }
  if (typeof schema.additionalProperties === "object") {
    for (const [key, item] of Object.entries(value)) {
      if (schema.properties?.[key] === undefined && item !== undefined) fillDefaults(schema.additionalProperties, item);
    }
  }
}
