import { SCHEDULER_DRIVER_RESTART_ANNOTATION, SCHEDULER_RESTART_FINALIZER } from "@kindling/core-spec";
import { isConflict, isObjectNotFound, resources, type KubeClient } from "@kindling/kube";
import type { PodState } from "@kindling/diagnosis";

/** The gateway may change the pod at the same time. */
const MOST_ATTEMPTS = 5;

/**
 * Ends an application by deleting its driver pod; Kubernetes deletes what belongs to the pod. If the pod is gone already,
 * that is no error. The gateway does not start a driver again that was ended in this way.
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
    // Spark's client does not send a period below 0.
    const gracePeriodSeconds = graceSeconds === undefined || graceSeconds < 0 ? undefined : graceSeconds;
    await client.delete(resources.pods, name, { namespace, gracePeriodSeconds });
  } catch (error) {
    if (!isObjectNotFound(error, resources.pods, name)) throw error;
  }
}

/** Marks the pod before it is deleted, so that the gateway does not start it again. */
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
