import type { KubeObject } from "@kindling/kube-objects";
import {
  SCHEDULER_DRIVER_MAX_RESTARTS_ANNOTATION,
  SCHEDULER_DRIVER_RESTART_ANNOTATION,
  SCHEDULER_RESTART_FINALIZER,
} from "@kindling/core-spec";
import { isConflict, isNotFound, type KubeClient } from "@kindling/kube";
import { UPSTREAM } from "../../cluster/upstream-types.ts";
import { restartsOf } from "../driver-restarts/next-driver.ts";
import { restartWish } from "../driver-restarts/restart-wish.ts";

export interface EndOptions {
  readonly client: KubeClient;
  /** Whether the application must not begin again: somebody has deactivated its Workload, or its time is over. */
  readonly isForGood: boolean;
}

/**
 * Ends a driver that Kueue has evicted. Kueue suspends a job and starts it again later: so the driver gets one more restart,
 * and the next driver waits behind its gate. A driver that another object owns, such as a SparkApplication, is left to the
 * owner: that decides whether it is submitted again.
 *
 * @returns whether the driver is going
 */
export async function endDriver(driver: KubeObject, { client, isForGood }: EndOptions): Promise<boolean> {
  const { name, namespace, uid, resourceVersion, finalizers = [] } = driver.metadata;
  if (driver.metadata.deletionTimestamp !== undefined) return true;
  const annotations = missingAnnotations(driver, isForGood);
  try {
    if (annotations !== undefined) {
      const patch = { metadata: { uid, resourceVersion, annotations } };
      await client.patch(UPSTREAM.pods, name, "merge", patch, { namespace });
      return false;
    }
    // Without the finalizer of restarts, the pod could be gone before its end has been seen.
    if (restartWish(driver) !== undefined && !finalizers.includes(SCHEDULER_RESTART_FINALIZER)) return false;
    const eviction = {
      ...{ apiVersion: "policy/v1", kind: "Eviction" },
      metadata: { name, namespace },
      deleteOptions: { preconditions: { uid } },
    };
    await client.create(UPSTREAM.pods, eviction, { namespace, subresource: "eviction" });
    return true;
  } catch (error) {
    if (isNotFound(error) || isConflict(error)) return false;
    throw error;
  }
}

/** What the driver has to say about its restart before it is evicted; `undefined` if it says that already. */
function missingAnnotations(driver: KubeObject, isForGood: boolean): Record<string, string> | undefined {
  const wish = restartWish(driver);
  if (isForGood) return wish === undefined ? undefined : { [SCHEDULER_DRIVER_RESTART_ANNOTATION]: "never" };
  const { counted } = restartsOf(driver);
  const isOwned = (driver.metadata.ownerReferences ?? []).length > 0;
  if (isOwned || (wish !== undefined && wish.maxRestarts > counted)) return undefined;
  return {
    [SCHEDULER_DRIVER_RESTART_ANNOTATION]: wish?.when ?? "onFailure",
    [SCHEDULER_DRIVER_MAX_RESTARTS_ANNOTATION]: String(counted + 1),
  };
}
