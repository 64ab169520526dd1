import type { JsonObject } from "../../json.ts";
import type { ResourceType } from "../resources/resource-type.ts";

/** The definition of a custom resource: its own schema, with the metadata that all objects have. */
export function customDefinition(type: ResourceType, metadata: JsonObject): JsonObject {
  const kinds = [{ group: type.group, kind: type.kind, version: type.version }];
  const schema = type.customSchema ?? { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const properties = { ...(schema.properties as JsonObject | undefined) };
  properties["apiVersion"] = { type: "string" };
  properties["kind"] = { type: "string" };
  properties["metadata"] = { allOf: [metadata] };
  return { ...(schema as JsonObject), properties, "x-kubernetes-group-version-kind": kinds };
}
