import type { JsonSchema } from "../../objects/custom-resource-definition.ts";
import { freeField, identityFields, type StructType, type Type } from "@kindling/api-server";

/**
 * A custom resource's schema as a type for managed fields: which fields are lists, which are maps, and which are owned as a
 * whole.
 */
export function schemaType(kind: string, schema: JsonSchema): StructType {
  const struct = structType(kind, schema);
  const identity = identityFields();
  const root = [...identity, ...struct.fields.filter(({ name }) => !identity.some((one) => one.name === name))];
  return { ...struct, fields: root, byName: new Map(root.map((one) => [one.name, one])) };
}

function structType(name: string, schema: JsonSchema): StructType {
  const fields = Object.entries(schema.properties ?? {}).map(([key, property]) =>
    freeField(key, typeOf(key, property)),
  );
  return {
    kind: "struct",
    name,
    package: "",
    fields,
    byName: new Map(fields.map((one) => [one.name, one])),
    atomic: schema["x-kubernetes-map-type"] === "atomic",
    open: schema["x-kubernetes-preserve-unknown-fields"] === true,
  };
}

function typeOf(name: string, schema: JsonSchema): Type {
  if (schema["x-kubernetes-int-or-string"] === true) return { kind: "intOrString" };
  switch (schema.type ?? "") {
    case "string":
      return { kind: "string" };
    case "boolean":
      return { kind: "bool" };
    case "integer":
      return { kind: "int64" };
    case "number":
      return { kind: "float64" };
    case "array":
      return {
        kind: "list",
        items: schema.items === undefined ? { kind: "any" } : typeOf(name, schema.items),
        merge: listMerge(schema),
        keys: schema["x-kubernetes-list-map-keys"] ?? [],
      };
    case "object": {
      const { additionalProperties: values } = schema;
      const atomic = schema["x-kubernetes-map-type"] === "atomic";
      if (typeof values === "object") return { kind: "map", values: typeOf(name, values), atomic };
      return schema.properties === undefined ? { kind: "any" } : structType(name, schema);
    }
    default:
      return { kind: "any" };
  }
}

function listMerge(schema: JsonSchema): "atomic" | "set" | "map" {
  const kind = schema["x-kubernetes-list-type"];
  return kind === "set" || kind === "map" ? kind : "atomic";
}
