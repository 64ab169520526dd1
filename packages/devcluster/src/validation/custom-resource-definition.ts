import {
  dns1035Label,
  dnsSubdomain,
  type FieldError,
  invalidValue,
  notSupported,
  required,
} from "@kindling/api-server";
import type { CustomResourceDefinition } from "../objects/custom-resource-definition.ts";

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
    if (version.schema?.openAPIV3Schema === undefined) errors.push(required(`${at}.schema.openAPIV3Schema`));
  });
  if (versions.length > 0 && stored === 0) {
    errors.push(invalidValue("status.storedVersions", null, "must have at least one stored version"));
  }
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
