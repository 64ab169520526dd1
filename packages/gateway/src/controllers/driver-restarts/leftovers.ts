import type { KubeObject } from "@kindling/kube-objects";
import { applicationIdOf, isExecutor, owningPods } from "../../spark/spark-pod.ts";
import type { ClusterWatch } from "../../cluster/cluster-watch.ts";
import { claimsNamedBy } from "./owned-objects.ts";

/**
 * What a driver had made and has not gone: its executors, and the claims of its executors. The next driver gives its own
 * the same names.
 */
export function leftoversOf(
  driver: KubeObject,
  cluster: Pick<ClusterWatch, "pod" | "podsOwnedBy" | "claimsOf">,
): KubeObject[] {
  const { name: driverName, uid, namespace = "" } = driver.metadata;
  const named = new Set(claimsNamedBy(driver));
  // Of another driver of the same id it is none of this one's.
  const isLeft = ({ metadata: { name, ownerReferences = [] } }: KubeObject): boolean =>
    !named.has(name) &&
    ownerReferences.every(
      (owner) =>
        (owner.kind === "Pod" && owner.name === driverName && owner.uid === uid) ||
        cluster.pod(namespace, owner.name)?.metadata.uid !== owner.uid,
    );
  const claims = cluster.claimsOf(namespace, applicationIdOf(driver) ?? "");
  const executors = cluster.podsOwnedBy(namespace, driver.metadata).filter(isExecutor);
  return [...executors, ...claims.filter((claim) => owningPods(claim).length > 0 && isLeft(claim))];
}
