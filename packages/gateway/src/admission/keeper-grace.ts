import type { KubeObject } from "@kindling/kube-objects";
import { objectAt, objectsAt } from "../json/fields.ts";
import { executorContainer } from "../spark/executor-container.ts";
import { hasShuffleServer } from "../spark/keeper.ts";
import { isToldBeforeItsEnd } from "../spark/spark-pod.ts";

/**
 * An executor that can end without its pod is ended by a liveness probe. It gets the time that it would get if its pod were
 * deleted, if it is one that uses this time.
 *
 * @param graceSeconds how long it may take to leave
 */
export function withKeeperGrace(executor: KubeObject, graceSeconds: number): KubeObject {
  if (!hasShuffleServer(executor) || !isToldBeforeItsEnd(executor)) return executor;
  const name = executorContainer(executor);
  const containers = objectsAt(executor, "spec", "containers").map((container) => {
    if (container["name"] !== name) return container;
    const livenessProbe = {
      ...objectAt(container, "livenessProbe"),
      terminationGracePeriodSeconds: Math.round(graceSeconds),
    };
    return { ...container, livenessProbe };
  });
  return { ...executor, spec: { ...objectAt(executor, "spec"), containers } };
}
