import { amountToNumber, parseAmount } from "@kindling/api-server";
import type { Container, EnvVar, Pod } from "../objects/pod.ts";
import type { PodSources } from "../runtime/runtime.ts";

export interface Variable {
  readonly name: string;
  readonly value: string;
}

/** A variable's source is missing; the message is that of the kubelet's waiting state. */
export class MissingSourceError extends Error {}

/** What a node offers, for limits that a container does not set. */
export interface NodeResources {
  readonly allocatable: Readonly<Record<string, string>>;
}

/**
 * The environment of a container as its spec describes it: `envFrom` first, then `env` with references resolved and
 * `$(NAME)` expanded by what came before.
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

const REFERENCE = /\$(?:\$|\(([^)]*)\))/g;

/** Replaces `$(NAME)` by what is known; `$$` stands for a dollar, and unknown references stay as they are. */
export function expand(text: string, known: ReadonlyMap<string, string>): string {
  return text.replaceAll(REFERENCE, (whole, name: string | undefined) =>
    name === undefined ? "$" : (known.get(name) ?? whole),
  );
}

/** The value of a field of the pod, as the downward API gives it. */
export function fieldValue(pod: Pod, fieldPath: string): string {
  const { metadata, spec, status } = pod;
  const subscript = /^metadata\.(labels|annotations)\['(.*)'\]$/.exec(fieldPath);
  if (subscript !== null) return metadata[subscript[1] as "labels" | "annotations"]?.[subscript[2] ?? ""] ?? "";
  switch (fieldPath) {
    case "metadata.name":
      return metadata.name;
    case "metadata.namespace":
      return metadata.namespace ?? "";
    case "metadata.uid":
      return metadata.uid;
    case "metadata.labels":
      return formatMap(metadata.labels);
    case "metadata.annotations":
      return formatMap(metadata.annotations);
    case "spec.nodeName":
      return spec.nodeName ?? "";
    case "spec.serviceAccountName":
      return spec.serviceAccountName ?? "";
    case "status.hostIP":
      return status.hostIP ?? "";
    case "status.hostIPs":
      return (status.hostIPs ?? []).map(({ ip }) => ip).join(",");
    case "status.podIP":
      return status.podIP ?? "";
    case "status.podIPs":
      return (status.podIPs ?? []).map(({ ip }) => ip).join(",");
    default:
      return "";
  }
}

function formatMap(map: Readonly<Record<string, string>> | undefined): string {
  const entries = Object.entries(map ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([key, value]) => `${key}=${JSON.stringify(value)}`).join("\n");
}

/** The amount of a resource that a container asks for or may use, in units of the divisor, rounded up. */
export function resourceValue(
  { resources }: Container,
  resource: string,
  divisor: string | undefined,
  node: NodeResources,
): string {
  const at = resource.indexOf(".");
  const [kind, name] = [resource.slice(0, at), resource.slice(at + 1)];
  const own = kind === "limits" ? resources.limits?.[name] : resources.requests?.[name];
  // Without a limit all of the node may be used.
  const text = own ?? (kind === "limits" ? node.allocatable[name] : undefined) ?? "0";
  const unit = divisor === undefined || divisor === "0" ? "1" : divisor;
  const [amount, per] = [parseAmount(text), parseAmount(unit)];
  if (amount === undefined || per === undefined || per.nanos === 0n) return "0";
  return String(Math.ceil(amountToNumber(amount) / amountToNumber(per)));
}

function fromBase64(text: string): string {
  return Buffer.from(text, "base64").toString("utf8");
}
