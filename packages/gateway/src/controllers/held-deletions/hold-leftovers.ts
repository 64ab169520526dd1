import type { KubeClient } from "@kindling/kube";
import type { KubeObject } from "@kindling/kube-objects";
import { takeAwayExecutor } from "../../cluster/take-away-executor.ts";
import { hasExecutorEnded } from "../../spark/has-executor-ended.ts";
import { isExecutor, takesRoom } from "../../spark/spark-pod.ts";
import type { HeldDeletions } from "./held-deletions.ts";

/**
 * Holds the deletions of ended executors among what a driver has left.
 *
 * @param driver the uid of the driver
 * @returns the objects that may go at once
 */
export function holdLeftovers(
  client: KubeClient,
  held: Pick<HeldDeletions, "has" | "hold" | "isHolding">,
  driver: string,
  leftovers: readonly KubeObject[],
): readonly KubeObject[] {
  const others = leftovers.filter(({ metadata }) => !held.has(metadata.uid));
  if (!held.isHolding) return others;
  const ended = others.filter(
    (object) => isExecutor(object) && object.metadata.deletionTimestamp === undefined && hasExecutorEnded(object),
  );
  for (const pod of ended) {
    const { name, namespace = "", uid } = pod.metadata;
    held.hold(driver, [{ name, namespace, uid, isOver: !takesRoom(pod) }], () => takeAwayExecutor(client, pod));
  }
  return others.filter((object) => !ended.includes(object));
}
