import type { Json, JsonObject } from "../../json.ts";
import type { Field, StructType, Type } from "../schema/types.ts";

const META = "io.k8s.apimachinery.pkg.apis.meta.v1";

/** Names of the types that are scalars here and definitions of their own in OpenAPI. */
const SCALAR_DEFINITIONS: Readonly<Record<string, { name: string; schema: JsonObject }>> = {
  quantity: {
    name: "io.k8s.apimachinery.pkg.api.resource.Quantity",
    schema: { oneOf: [{ type: "string" }, { type: "number" }] },
  },
  intOrString: {
    name: "io.k8s.apimachinery.pkg.util.intstr.IntOrString",
    schema: { oneOf: [{ type: "integer" }, { type: "string" }], format: "int-or-string" },
  },
  time: { name: `${META}.Time`, schema: { type: "string", format: "date-time" } },
  microTime: { name: `${META}.MicroTime`, schema: { type: "string", format: "date-time" } },
  duration: { name: `${META}.Duration`, schema: { type: "string" } },
  any: { name: "io.k8s.apimachinery.pkg.runtime.RawExtension", schema: { type: "object" } },
};

/** A kind as `x-kubernetes-group-version-kind` names it. */
export type Gvk = { group: string; kind: string; version: string };

/**
 * Collects the definitions of types and of all types that they hold. `prefix` is where references point:
 * `#/components/schemas/` in OpenAPI 3, `#/definitions/` in version 2.
 */
export class SchemaCollector {
  readonly definitions: JsonObject = {};
  readonly #prefix: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** Adds a type and says how to refer to it. */
  add(type: StructType, kinds?: readonly Gvk[]): JsonObject {
    const name = `${type.package}.${type.name}`;
    if (this.definitions[name] === undefined) {
      const definition: JsonObject = {};
      // Entered before it is filled: types may hold themselves.
      this.definitions[name] = definition;
      const properties = type.fields.map((field): [string, Json] => [field.name, this.#property(field)]);
      const required = type.fields.filter((field) => field.required).map((field) => field.name);
      Object.assign(definition, {
        type: "object",
        ...(required.length === 0 ? {} : { required: required.sort() }),
        ...(properties.length === 0
          ? {}
          : { properties: Object.fromEntries(properties.sort(([a], [b]) => (a < b ? -1 : 1))) }),
        ...(type.atomic ? { "x-kubernetes-map-type": "atomic" } : {}),
      });
    }
    const definition = this.definitions[name] as JsonObject;
    if (kinds !== undefined) definition["x-kubernetes-group-version-kind"] = [...kinds];
    return this.reference(name);
  }

  /** Adds a definition that is not made of a type, unless it is there already. */
  addRaw(name: string, definition: JsonObject): JsonObject {
    this.definitions[name] ??= definition;
    return this.reference(name);
  }

  reference(name: string): JsonObject {
    return { $ref: `${this.#prefix}${name}` };
  }

  #property(field: Field): JsonObject {
    const { type } = field;
    const schema = this.#value(type);
    if (type.kind === "list") {
      if (type.merge !== "atomic" || field.mergeKey === undefined) schema["x-kubernetes-list-type"] = type.merge;
      if (type.merge === "map") schema["x-kubernetes-list-map-keys"] = [...type.keys];
    }
    if (type.kind === "map" && type.atomic) schema["x-kubernetes-map-type"] = "atomic";
    if (field.mergeKey !== undefined) {
      if (field.mergeKey !== "") schema["x-kubernetes-patch-merge-key"] = field.mergeKey;
      schema["x-kubernetes-patch-strategy"] = field.retainKeys ? "merge,retainKeys" : "merge";
    } else if (field.retainKeys) schema["x-kubernetes-patch-strategy"] = "retainKeys";
    return schema;
  }

  #value(type: Type): JsonObject {
    switch (type.kind) {
      case "struct":
        return { allOf: [this.add(type)] };
      case "list":
        return { type: "array", items: this.#value(type.items) };
      case "map":
        return { type: "object", additionalProperties: this.#value(type.values) };
      case "union":
        return { allOf: [this.add(type.struct)] };
      case "string":
        return { type: "string" };
      case "bool":
        return { type: "boolean" };
      case "int32":
      case "int64":
        return { type: "integer", format: type.kind };
      case "float64":
        return { type: "number", format: "double" };
      case "bytes":
        return { type: "string", format: "byte" };
      case "any":
      case "duration":
      case "intOrString":
      case "microTime":
      case "quantity":
      case "time": {
        const definition = SCALAR_DEFINITIONS[type.kind];
        return definition === undefined ? {} : { allOf: [this.addRaw(definition.name, { ...definition.schema })] };
      }
    }
  }
}
