import { formatProperties, parseProperties, type KubernetesResource, type Pod } from "@kindling/core-spec";
import { isSecretSetting, redact, REDACTED } from "./redact.ts";

type Fields = Readonly<Record<string, unknown>>;

/** An object as it may be shown: without what Secrets hold, and without settings and variables that look like secrets. */
export function redactObject(object: Pod | KubernetesResource): Pod | KubernetesResource {
  switch (object.kind) {
    case "Secret":
      return withFields(object, ["data", "stringData"], (values) => mapValues(values, () => REDACTED));
    case "ConfigMap":
      return withFields(object, ["data"], (files) => mapValues(files, redactFile));
    case "Pod":
      return withFields(object, ["spec"], (spec) =>
        withFields(spec, ["containers", "initContainers"], redactContainers),
      );
    case undefined:
    default:
      return object;
  }
}

function redactFile(text: unknown, name: string): unknown {
  if (name !== "spark.properties" || typeof text !== "string") return text;
  const [comment = ""] = text.split("\n");
  return formatProperties(redact(parseProperties(text)), comment.slice(1));
}

function redactContainers(containers: unknown): unknown {
  if (!Array.isArray(containers)) return containers;
  return containers.map((container: Fields) =>
    withFields(container, ["env"], (env) => (Array.isArray(env) ? env.map(redactVariable) : env)),
  );
}

function redactVariable(variable: Fields): Fields {
  const { name, value } = variable;
  const isSecret = typeof name === "string" && typeof value === "string" && isSecretSetting(name, value);
  return isSecret ? { ...variable, value: REDACTED } : variable;
}

function withFields<T extends object>(object: T, names: readonly string[], change: (value: Fields) => unknown): T {
  const fields = Object.entries(object).map(([name, value]: [string, unknown]) => [
    name,
    names.includes(name) && typeof value === "object" && value !== null ? change(value as Fields) : value,
  ]);
  return Object.fromEntries(fields) as T;
}

function mapValues(values: Fields, change: (value: unknown, name: string) => unknown): Fields {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]));
}
