import { type NodeResources, fieldValue, resourceValue } from "../objects/downward-api.ts";
import type { Container, EnvVar, Pod } from "../objects/pod.ts";
import { expand, type Variable } from "../objects/variable.ts";
import type { PodSources } from "../runtime/runtime.ts";

/** A variable's source is missing; the message is that of the kubelet's waiting state. */
export class MissingSourceError extends Error {}

/**
 * The environment of a container according to its spec: `envFrom` first, then `env` with references resolved and `$(NAME)`
 * replaced by earlier variables.
 *
 * @throws MissingSourceError
 */
export function resolveEnvironment(
  pod: Pod,
  container: Container,
  sources: PodSources,
  node: NodeResources,
  services: readonly Variable[],
): Variable[] {
  const values = new Map(services.map(({ name, value }) => [name, value]));
  for (const [name, value] of fromSources(container, sources)) values.set(name, value);
  for (const variable of container.env ?? []) {
    const value = valueOf(variable, pod, container, sources, node, values);
    if (value !== undefined) values.set(variable.name, value);
  }
  return [...values].map(([name, value]) => ({ name, value }));
}

function fromSources({ envFrom }: Container, sources: PodSources): [string, string][] {
  return (envFrom ?? []).flatMap(({ prefix = "", configMapRef, secretRef }): [string, string][] => {
    if (configMapRef !== undefined) {
      const { name = "", optional } = configMapRef;
      const found = sources.configMap(name);
      if (found === undefined && optional !== true)
        throw new MissingSourceError(`configmap ${JSON.stringify(name)} not found`);
      return Object.entries(found?.data ?? {}).map(([key, value]) => [`${prefix}${key}`, value]);
    }
    const { name = "", optional } = secretRef ?? {};
    const found = sources.secret(name);
    if (found === undefined && optional !== true)
      throw new MissingSourceError(`secret ${JSON.stringify(name)} not found`);
    return Object.entries(found?.data ?? {}).map(([key, value]) => [`${prefix}${key}`, fromBase64(value)]);
  });
}

function valueOf(
  { value, valueFrom }: EnvVar,
  pod: Pod,
  container: Container,
  sources: PodSources,
  node: NodeResources,
  known: ReadonlyMap<string, string>,
): string | undefined {
  if (valueFrom === undefined) return expand(value ?? "", known);
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef } = valueFrom;
  if (fieldRef !== undefined) return fieldValue(pod, fieldRef.fieldPath);
  if (resourceFieldRef !== undefined) {
    const named = [...(pod.spec.containers ?? []), ...(pod.spec.initContainers ?? [])].find(
      ({ name }) => name === resourceFieldRef.containerName,
    );
    return resourceValue(named ?? container, resourceFieldRef.resource, resourceFieldRef.divisor, node);
  }
  if (configMapKeyRef !== undefined) {
    const { name = "", key, optional } = configMapKeyRef;
    const found = sources.configMap(name);
    return keyValue("configmap", "ConfigMap", pod, name, key, optional, found?.data, found !== undefined);
  }
  if (secretKeyRef === undefined) return undefined;
  const { name = "", key, optional } = secretKeyRef;
  const found = sources.secret(name);
  const text = keyValue("secret", "Secret", pod, name, key, optional, found?.data, found !== undefined);
  return text === undefined ? undefined : fromBase64(text);
}

function keyValue(
  resource: string,
  kind: string,
  pod: Pod,
  name: string,
  key: string,
  optional: boolean | undefined,
  data: Readonly<Record<string, string>> | undefined,
  found: boolean,
): string | undefined {
  const value = data?.[key];
  if (value !== undefined || optional === true) return value;
  if (!found) throw new MissingSourceError(`${resource} ${JSON.stringify(name)} not found`);
  throw new MissingSourceError(`couldn't find key ${key} in ${kind} ${pod.metadata.namespace ?? ""}/${name}`);
}

function fromBase64(text: string): string {
  return Buffer.from(text, "base64").toString("utf8");
}
