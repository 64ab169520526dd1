import {
  dns1035Label,
  dnsSubdomain,
  type FieldError,
  forbiddenField,
  invalidValue,
  jsonEqual,
  notSupported,
  required,
} from "@kindling/api-server";
import type { CustomResourceDefinition, JsonSchema } from "../objects/custom-resource-definition.ts";

const SCHEMA = "openAPIV3Schema";

/** What is wrong with the definition of a custom resource. */
export function validateDefinition(definition: CustomResourceDefinition): FieldError[] {
  const { spec, metadata } = definition;
  const { names, group } = spec;
  const errors: FieldError[] = [];
  const expected = `${names.plural}.${group}`;
  if (metadata.name !== expected) {
    errors.push(invalidValue("metadata.name", metadata.name, `must be spec.names.plural+"."+spec.group`));
  }
  if (group === "") errors.push(required("spec.group"));
  else {
    errors.push(...dnsSubdomain(group).map((why) => invalidValue("spec.group", group, why)));
    if (!group.includes("."))
      errors.push(invalidValue("spec.group", group, "should be a domain with at least one dot"));
  }
  if (spec.scope === "") errors.push(required("spec.scope"));
  else if (spec.scope !== "Namespaced" && spec.scope !== "Cluster") {
    errors.push(notSupported("spec.scope", spec.scope, ["Cluster", "Namespaced"]));
  }
  errors.push(...validateVersions(definition));
  errors.push(...validateNames(definition));
  return errors;
}

/** What is wrong with an update of a definition. */
export function validateDefinitionUpdate(
  next: CustomResourceDefinition,
  current: CustomResourceDefinition,
): FieldError[] {
  const errors = validateDefinition(next);
  const established = current.status.conditions?.some(
    ({ type, status }) => type === "Established" && status === "True",
  );
  if (established !== true) return errors;
  for (const field of ["group", "scope"] as const) {
    if (!jsonEqual(next.spec[field], current.spec[field])) {
      errors.push(invalidValue(`spec.${field}`, next.spec[field], "field is immutable"));
    }
  }
  for (const field of ["kind", "plural"] as const) {
    if (next.spec.names[field] !== current.spec.names[field]) {
      errors.push(invalidValue(`spec.names.${field}`, next.spec.names[field], "field is immutable"));
    }
  }
  return errors;
}

function validateVersions({ spec }: CustomResourceDefinition): FieldError[] {
  const errors: FieldError[] = [];
  const versions = spec.versions ?? [];
  if (versions.length === 0)
    errors.push(required("spec.versions", "must have exactly one version marked as storage version"));
  const stored = versions.filter(({ storage }) => storage).length;
  if (versions.length > 0 && stored !== 1) {
    errors.push(invalidValue("spec.versions", versions, "must have exactly one version marked as storage version"));
  }
  versions.forEach((version, index) => {
    const at = `spec.versions[${index}]`;
    errors.push(...dns1035Label(version.name).map((why) => invalidValue(`${at}.name`, version.name, why)));
    const schema = version.schema?.openAPIV3Schema;
    if (schema === undefined) {
      errors.push(required(`${at}.schema.${SCHEMA}`));
      return;
    }
    errors.push(...structuralErrors(schema, `${at}.schema.${SCHEMA}`, "at the root"));
    if ((schema.type ?? "object") !== "object") {
      errors.push(invalidValue(`${at}.schema.${SCHEMA}.type`, schema.type, "must be object at the root"));
    }
  });
  if (versions.length > 0 && stored === 0) {
    errors.push(invalidValue("status.storedVersions", null, "must have at least one stored version"));
  }
  return errors;
}

/** Each value must have a type, unless it is an int-or-string or keeps what it does not know. */
function structuralErrors(schema: JsonSchema, path: string, place: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    errors.push(...structuralErrors(property, `${path}.properties[${name}]`, "for specified object fields"));
  }
  if (schema.items !== undefined)
    errors.push(...structuralErrors(schema.items, `${path}.items`, "for specified array items"));
  else if (schema.type === "array") errors.push(required(`${path}.items`, "must be specified"));
  if (typeof schema.additionalProperties === "object") {
    errors.push(
      ...structuralErrors(schema.additionalProperties, `${path}.additionalProperties`, "for specified object fields"),
    );
    if (schema.properties !== undefined) {
      errors.push(forbiddenField(`${path}.additionalProperties`, "must not be used together with properties"));
    }
  }
  const free = schema["x-kubernetes-int-or-string"] === true || schema["x-kubernetes-preserve-unknown-fields"] === true;
  if ((schema.type ?? "") === "" && !free) errors.push(required(`${path}.type`, `must not be empty ${place}`));
  return errors;
}

function validateNames({ spec }: CustomResourceDefinition): FieldError[] {
  const { names } = spec;
  const errors: FieldError[] = [];
  if (names.plural === "") errors.push(required("spec.names.plural"));
  if (names.kind === "") errors.push(required("spec.names.kind"));
  for (const [field, value] of [
    ["plural", names.plural],
    ["singular", names.singular ?? ""],
    ["kind", names.kind.toLowerCase()],
  ] as const) {
    if (value !== "") errors.push(...dns1035Label(value).map((why) => invalidValue(`spec.names.${field}`, value, why)));
  }
  return errors;
}
