import type { EnvFromSource, EnvVar, KeySelector } from "../../../objects/pod.ts";
import { type FieldError, invalidValue, notSupported, required } from "../field-error.ts";
import { configKey, dnsSubdomain, envName } from "../names.ts";

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
/** Fields of the pod that an environment variable or a file can show, beside labels and annotations by key. */
export const RESOURCE_FIELDS: readonly string[] = [
  "limits.cpu",
  "limits.ephemeral-storage",
  "limits.memory",
  "requests.cpu",
  "requests.ephemeral-storage",
  "requests.memory",
];
/** Fields that can be named at all; where, is another question. */
const FIELD_LABELS = new Set([
  ...FIELD_PATHS,
  "metadata.annotations",
  "metadata.labels",
  "spec.hostNetwork",
  "spec.restartPolicy",
  "spec.schedulerName",
  "status.nominatedNodeName",
  "status.phase",
]);
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
    if (source.prefix !== undefined) {
      errors.push(...envName(source.prefix).map((why) => invalidValue(`${at}.prefix`, source.prefix, why)));
    }
    for (const kind of ["configMapRef", "secretRef"] as const) {
      const reference = source[kind];
      if (reference !== undefined) errors.push(...validateReferenceName(reference.name ?? "", `${at}.${kind}.name`));
    }
    const count = [source.configMapRef, source.secretRef].filter((reference) => reference !== undefined).length;
    if (count === 0) errors.push(invalidValue(path, "", "must specify one of: `configMapRef` or `secretRef`"));
    if (count > 1) errors.push(invalidValue(path, "", "may not have more than one field specified at a time"));
    return errors;
  });
}

/** What is wrong with the name of an object that is referred to. */
function validateReferenceName(name: string, path: string): FieldError[] {
  return name === "" ? [required(path)] : dnsSubdomain(name).map((why) => invalidValue(path, name, why));
}

function validateSource(variable: EnvVar, path: string): FieldError[] {
  const source = variable.valueFrom;
  if (source === undefined) return [];
  const errors: FieldError[] = [];
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef } = source;
  if (fieldRef !== undefined) errors.push(...validateFieldRef(fieldRef.fieldPath, FIELD_PATHS, `${path}.fieldRef`));
  if (resourceFieldRef !== undefined) {
    errors.push(...validateResourceField(resourceFieldRef.resource, `${path}.resourceFieldRef`));
  }
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

/** What is wrong with a reference to a field of the pod. */
export function validateFieldRef(fieldPath: string, allowed: readonly string[], path: string): FieldError[] {
  if (fieldPath === "") return [required(`${path}.fieldPath`)];
  const subscript = SUBSCRIPT.exec(fieldPath);
  if (subscript !== null) return [];
  if (!FIELD_LABELS.has(fieldPath)) {
    const why = `error converting fieldPath: field label not supported: ${fieldPath}`;
    return [invalidValue(`${path}.fieldPath`, fieldPath, why)];
  }
  return allowed.includes(fieldPath) ? [] : [notSupported(`${path}.fieldPath`, fieldPath, allowed)];
}

/** What is wrong with a reference to a container's resource. */
export function validateResourceField(resource: string, path: string): FieldError[] {
  if (resource === "") return [required(`${path}.resource`)];
  if (RESOURCE_FIELDS.includes(resource) || /^(?:limits|requests)\.hugepages-/.test(resource)) return [];
  return [notSupported(`${path}.resource`, resource, RESOURCE_FIELDS)];
}

function validateKey(selector: KeySelector, path: string): FieldError[] {
  const name = selector.name ?? "";
  const errors = dnsSubdomain(name).map((why) => invalidValue(`${path}.name`, name, why));
  if (selector.key === "") errors.push(required(`${path}.key`));
  else errors.push(...configKey(selector.key).map((why) => invalidValue(`${path}.key`, selector.key, why)));
  return errors;
}
