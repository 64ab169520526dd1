import type { KubeObject } from "@kindling/kube-objects";
import { isConflict, isNotFound, type KubeClient, type ResourceType } from "@kindling/kube";

/**
 * Deletes this very object.
 *
 * @throws KubeError if that did not work; one that is gone already is no error
 */
export async function takeAway(
  client: KubeClient,
  type: ResourceType<KubeObject>,
  {
    metadata: { name, namespace, uid },
  }: { readonly metadata: Pick<KubeObject["metadata"], "name" | "namespace" | "uid"> },
): Promise<void> {
  try {
    await client.delete(type, name, { namespace, propagationPolicy: "Background", preconditions: { uid } });
  } catch (error) {
    // Another object of the name is none of ours.
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}
