import { isObjectNotFound, resources, type KubeClient } from "@kindling/kube";
import type { PodState } from "@kindling/diagnosis";

/**
 * Ends an application by deleting its driver pod; what belongs to the pod goes with it. One that is gone already is what
 * was wanted.
 *
 * @param graceSeconds how long the driver has to end by itself; the pod's own period if undefined
 * @throws KubeError
 */
export async function killApplication(
  client: KubeClient,
  { namespace, name }: Pick<PodState, "namespace" | "name">,
  graceSeconds: number | undefined,
): Promise<void> {
  try {
    await client.delete(resources.pods, name, { namespace, gracePeriodSeconds: graceSeconds });
  } catch (error) {
    if (!isObjectNotFound(error, resources.pods, name)) throw error;
  }
}
