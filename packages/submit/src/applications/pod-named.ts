import { isObjectNotFound, resources, type KubeClient } from "@kindling/kube";
import type { Pod } from "kubernetes-types/core/v1.js";

/** The pod with this name, if it exists. Throws KubeError. */
export async function podNamed(
  client: KubeClient,
  namespace: string | undefined,
  name: string,
): Promise<Pod | undefined> {
  try {
    return await client.get(resources.pods, name, { namespace });
  } catch (error) {
    if (isObjectNotFound(error, resources.pods, name)) return undefined;
    throw error;
  }
}
