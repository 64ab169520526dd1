import { SCHEDULER_DRIVER_RESTART_ANNOTATION, SCHEDULER_RESTART_FINALIZER } from "@kindling/core-spec";
import { isConflict, isObjectNotFound, resources, type KubeClient } from "@kindling/kube";
import type { PodState } from "@kindling/diagnosis";

/** Its gateway, too, may be changing the pod. */
const MOST_ATTEMPTS = 5;

/**
 * Ends an application by deleting its driver pod; what belongs to the pod goes with it. One that is gone already is what
 * was wanted. The gateway starts no driver again that was ended in this way.
 *
 * @param graceSeconds how long the driver has to end by itself; the pod's own period if undefined
 * @throws KubeError
 */
export async function killApplication(
  client: KubeClient,
  { namespace, name, restart }: Pick<PodState, "namespace" | "name" | "restart">,
  graceSeconds: number | undefined,
): Promise<void> {
  try {
    if (restart !== undefined) await forbidRestart(client, namespace, name);
    // Spark's client leaves a period below 0 away.
    const gracePeriodSeconds = graceSeconds === undefined || graceSeconds < 0 ? undefined : graceSeconds;
    await client.delete(resources.pods, name, { namespace, gracePeriodSeconds });
  } catch (error) {
    if (!isObjectNotFound(error, resources.pods, name)) throw error;
  }
}

/** Says so before the pod is deleted, and lets it go without a gateway. */
async function forbidRestart(client: KubeClient, namespace: string, name: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const { metadata } = await client.get(resources.pods, name, { namespace });
    const { uid, resourceVersion, finalizers = [] } = metadata ?? {};
    const changes = {
      finalizers: finalizers.filter((finalizer) => finalizer !== SCHEDULER_RESTART_FINALIZER),
      annotations: { [SCHEDULER_DRIVER_RESTART_ANNOTATION]: "never" },
    };
    try {
      await client.patch(
        resources.pods,
        name,
        "merge",
        { metadata: { uid, resourceVersion, ...changes } },
        { namespace },
      );
      return;
    } catch (error) {
      if (!isConflict(error) || attempt === MOST_ATTEMPTS) throw error;
    }
  }
}
