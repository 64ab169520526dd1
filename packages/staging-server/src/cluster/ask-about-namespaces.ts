import { isObjectNotFound, resources, type KubeClient } from "@kindling/kube";
import type { ClusterIdentity } from "./cluster-identity.ts";
import { QUESTION_TIMEOUT_MS, type OwnerView } from "./owner-view.ts";

/**
 * Asks for the namespaces that may not be listed (any longer). If a Role is deleted with its namespace, nothing else
 * tells that the namespace is gone. It is gone only if a Status that names it says so, and if this Status comes from the
 * API server of the cluster that this server has known from the start.
 */
export async function askAboutNamespaces(
  client: KubeClient,
  identity: ClusterIdentity,
  views: Iterable<OwnerView>,
  signal: AbortSignal,
): Promise<void> {
  const refused = [...views].filter((view) => view.isRefused);
  if (refused.length === 0) return;
  await identity.verify(signal);
  const gone = await Promise.all(refused.map((view) => isNamespaceGone(client, view.namespace, signal)));
  await identity.verify(signal);
  for (const [index, view] of refused.entries()) view.noteNamespace(gone[index] ?? false);
}

/** Whether the API server says now that a namespace does not exist. */
export async function isNamespaceGone(client: KubeClient, namespace: string, signal: AbortSignal): Promise<boolean> {
  try {
    await client.get(resources.namespaces, namespace, { signal, timeoutMs: QUESTION_TIMEOUT_MS });
    return false;
  } catch (error) {
    // Also false if this server may not read the namespace: then nothing is known.
    return isObjectNotFound(error, resources.namespaces, namespace);
  }
}
