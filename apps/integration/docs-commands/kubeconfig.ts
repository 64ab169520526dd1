import { readFileSync } from "node:fs";
import { parse } from "yaml";

interface Kubeconfig {
  readonly "current-context"?: string;
  readonly contexts?: readonly { readonly name?: string; readonly context?: object }[];
}

/** A kubeconfig like the one in a file, but with another namespace in its current context. */
export function kubeconfigOf(file: string, namespace: string): string {
  const config = parse(readFileSync(file, "utf8")) as Kubeconfig;
  const contexts = (config.contexts ?? []).map((entry) =>
    entry.name === config["current-context"] ? { ...entry, context: { ...entry.context, namespace } } : entry,
  );
  return JSON.stringify({ ...config, contexts });
}
