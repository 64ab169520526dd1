import { scratchFolder } from "./scratch-folder.ts";

/** Writes a kubeconfig with the cluster as its current context; returns its path. */
export function kubeconfigFor(cluster: { readonly url: string }, user: Readonly<Record<string, unknown>> = {}): string {
  const config = {
    apiVersion: "v1",
    kind: "Config",
    "current-context": "stub",
    contexts: [{ name: "stub", context: { cluster: "stub", user: "tester", namespace: "spark-jobs" } }],
    clusters: [{ name: "stub", cluster: { server: cluster.url } }],
    users: [{ name: "tester", user }],
  };
  return scratchFolder().write("config", JSON.stringify(config));
}
