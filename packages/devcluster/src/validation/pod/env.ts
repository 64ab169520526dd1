import type { EnvFromSource, EnvVar, KeySelector } from "../../objects/pod.ts";
import {
  configKey,
  dnsSubdomain,
  envName,
  type FieldError,
  invalidValue,
  notSupported,
  required,
} from "@kindling/api-server";

const FIELD_PATHS = [
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "spec.nodeName",
  "spec.serviceAccountName",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
];
const SUBSCRIPT = /^(metadata\.(?:labels|annotations))\['(.*)'\]$/;

/** What is wrong with environment variables. */
export function validateEnv(vars: readonly EnvVar[], path: string): FieldError[] {
  return vars.flatMap((variable, index) => {
    const at = `${path}[${index}]`;
    const errors =
      variable.name === ""
        ? [required(`${at}.name`)]
        : envName(variable.name).map((why) => invalidValue(`${at}.name`, variable.name, why));
    return [...errors, ...validateSource(variable, `${at}.valueFrom`)];
  });
}

/** What is wrong with the sources of whole groups of variables. */
export function validateEnvFrom(sources: readonly EnvFromSource[], path: string): FieldError[] {
  return sources.flatMap((source, index) => {
    const at = `${path}[${index}]`;
    const errors: FieldError[] = [];
    for (const kind of ["configMapRef", "secretRef"] as const) {
      const reference = source[kind];
      if (reference !== undefined) errors.push(...validateReferenceName(reference.name ?? "", `${at}.${kind}.name`));
    }
    return errors;
  });
}

/** What is wrong with the name of a referenced object. */
function validateReferenceName(name: string, path: string): FieldError[] {
  return name === "" ? [required(path)] : dnsSubdomain(name).map((why) => invalidValue(path, name, why));
}

function validateSource(variable: EnvVar, path: string): FieldError[] {
  const source = variable.valueFrom;
  if (source === undefined) return [];
  const errors: FieldError[] = [];
  const { fieldRef, configMapKeyRef, secretKeyRef } = source;
  if (fieldRef !== undefined) errors.push(...validateFieldRef(fieldRef.fieldPath, `${path}.fieldRef`));
  if (configMapKeyRef !== undefined) errors.push(...validateKey(configMapKeyRef, `${path}.configMapKeyRef`));
  if (secretKeyRef !== undefined) errors.push(...validateKey(secretKeyRef, `${path}.secretKeyRef`));
  const count = Object.keys(source).length;
  if (count === 0) {
    const kinds = "`fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`";
    errors.push(invalidValue(path, "", `must specify one of: ${kinds}`));
  } else if ((variable.value ?? "") !== "") {
    errors.push(invalidValue(path, "", "may not be specified when `value` is not empty"));
  } else if (count > 1) {
    errors.push(invalidValue(path, "", "may not have more than one field specified at a time"));
  }
  return errors;
}

function validateFieldRef(fieldPath: string, path: string): FieldError[] {
  if (fieldPath === "") return [required(`${path}.fieldPath`)];
  if (SUBSCRIPT.test(fieldPath) || FIELD_PATHS.includes(fieldPath)) return [];
  return [notSupported(`${path}.fieldPath`, fieldPath, FIELD_PATHS)];
}

function validateKey(selector: KeySelector, path: string): FieldError[] {
  const name = selector.name ?? "";
  const errors = dnsSubdomain(name).map((why) => invalidValue(`${path}.name`, name, why));
  if (selector.key === "") errors.push(required(`${path}.key`));
  else errors.push(...configKey(selector.key).map((why) => invalidValue(`${path}.key`, selector.key, why)));
  return errors;
}
