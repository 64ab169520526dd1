import type { KubeObject } from "@kindling/kube-objects";
import { isConflict, isNotFound, type KubeClient, type ResourceType } from "@kindling/kube";

/**
 * Deletes exactly this object (by its uid).
 *
 * @param gracePeriodSeconds of a pod; without it, what the pod says
 * @throws KubeError if that did not work; it is no error if the object is gone already
 */
export async function takeAway(
  client: KubeClient,
  type: ResourceType<KubeObject>,
  {
    metadata: { name, namespace, uid },
  }: { readonly metadata: Pick<KubeObject["metadata"], "name" | "namespace" | "uid"> },
  gracePeriodSeconds?: number,
): Promise<void> {
  try {
    const options = { namespace, gracePeriodSeconds, propagationPolicy: "Background", preconditions: { uid } } as const;
    await client.delete(type, name, options);
  } catch (error) {
    // An object with this name but another uid is left alone.
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}
