import type { KubeObject } from "@kindling/kube-objects";
import { applicationIdOf, isExecutor, owningPods } from "../../spark/spark-pod.ts";
import type { ClusterWatch } from "../../cluster/cluster-watch.ts";
import { claimsNamedBy } from "./owned-objects.ts";

/** The objects that an ended driver has left: its executors, and their claims. The next driver uses the same names. */
export function leftoversOf(
  driver: KubeObject,
  cluster: Pick<ClusterWatch, "pod" | "podsOwnedBy" | "claimsOf">,
): KubeObject[] {
  const { name: driverName, uid, namespace = "" } = driver.metadata;
  const named = new Set(claimsNamedBy(driver));
  // Objects of another driver with the same id do not belong to this one.
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
