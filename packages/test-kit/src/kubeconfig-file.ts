import { scratchFolder } from "./scratch-folder.ts";

/** Writes a kubeconfig whose current context is the cluster; gives its path. */
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
