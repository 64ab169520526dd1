import { isKubeError, resources, type KubeClient } from "@kindling/kube";
import { cachedAnswers, type CacheOptions } from "./cached-answers.ts";

export type NamespaceLabels = Readonly<Record<string, string>>;

/**
 * Looks up the labels of a namespace; `undefined` if this user may not see it, or if the API server does not tell for another
 * reason. A submission goes on without them: if the API server is away, its next request says so.
 */
export type FindNamespaceLabels = (
  client: KubeClient,
  namespace: string,
  signal?: AbortSignal,
) => Promise<NamespaceLabels | undefined>;

export const findNamespaceLabels: FindNamespaceLabels = async (client, namespace, signal) => {
  try {
    const { metadata } = await client.get(resources.namespaces, namespace, { signal });
    return metadata?.labels ?? {};
  } catch (error) {
    if (isKubeError(error)) return undefined;
    throw error;
  }
};

/** Asks for the labels of a namespace only once in a while, for a service that submits often. */
export function cachedNamespaceLabels(cache: CacheOptions): FindNamespaceLabels {
  const remember = cachedAnswers<NamespaceLabels | undefined>(cache);
  return (client, namespace) => remember(client, [namespace], () => findNamespaceLabels(client, namespace));
}
