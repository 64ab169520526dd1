import type { DeleteOptions } from "@kindling/api-server";
import { isConflict, isNotFound, type KubeClient } from "@kindling/kube";
import type { KubeObject } from "@kindling/kube-objects";
import type { PodInCluster } from "../../cluster/let-go.ts";
import { UPSTREAM } from "../../cluster/upstream-types.ts";
import type { EndedPod, HeldDeletions } from "../../controllers/held-deletions/held-deletions.ts";
import { textAt } from "../../json/fields.ts";
import { hasExecutorEnded } from "../../spark/has-executor-ended.ts";
import { hasSparkEnded } from "../../spark/keeper.ts";
import { isExecutor, takesRoom } from "../../spark/spark-pod.ts";
import type { Entry } from "../../views/entry.ts";
import type { DriverRequest } from "./driver-request.ts";

/** What holds deletions, as routes use it; undefined if nothing does. */
export type Holding = Pick<HeldDeletions, "isHolding" | "hold" | "followed" | "of"> | undefined;

/** The pod of an entry, if its executor has ended, so that its deletion is held. */
export function endedPod(held: Holding, { mirror, application }: DriverRequest, entry: Entry): EndedPod | undefined {
  const { name, state } = entry;
  if (held?.isHolding !== true || mirror !== application.pods || state.kind !== "real") return undefined;
  const pod = application.pods.current(entry);
  if (pod === undefined || pod.metadata.deletionTimestamp !== undefined) return undefined;
  if (!isExecutor(pod) || !hasExecutorEnded(pod)) return undefined;
  // The driver sees another phase if a shuffle server runs beside Spark.
  const isOver = !takesRoom(pod) && !hasSparkEnded(pod);
  return { name, namespace: application.namespace, uid: state.uid, isOver };
}

/** Before executors that run are deleted: waits for a moment until the recorder follows their logs. */
export async function untilFollowed(
  held: Holding,
  { mirror, application }: DriverRequest,
  entries: readonly Entry[],
): Promise<void> {
  if (held?.isHolding !== true || mirror !== application.pods) return;
  const running = entries.filter((entry) => {
    const pod = application.pods.current(entry);
    return pod !== undefined && isExecutor(pod) && isRunning(pod);
  });
  if (running.length > 0) await held.followed(podsOf(application.namespace, running));
}

function isRunning(pod: KubeObject): boolean {
  return pod.metadata.deletionTimestamp === undefined && textAt(pod, "status", "phase") === "Running";
}

/** The pods of entries, as they are in the cluster. */
export function podsOf(namespace: string, entries: readonly Entry[]): PodInCluster[] {
  return entries.flatMap(({ name, state }) => (state.kind === "real" ? [{ name, namespace, uid: state.uid }] : []));
}

/** Deletes exactly this pod; it is no error if it is gone already. */
export async function deletePod(client: KubeClient, pod: PodInCluster, options: DeleteOptions): Promise<void> {
  const { name, namespace, uid } = pod;
  const { gracePeriodSeconds, propagationPolicy } = options;
  try {
    const preconditions = { uid };
    await client.delete(UPSTREAM.pods, name, { namespace, gracePeriodSeconds, propagationPolicy, preconditions });
  } catch (error) {
    // It is gone already, or another pod has its name now.
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}
