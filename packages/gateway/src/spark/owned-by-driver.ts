import { controllerReference, type KubeObject } from "@kindling/kube-objects";

/** What runs executors goes with their driver, also where Spark has not said so. */
export function ownedByDriver(object: KubeObject, driver: KubeObject): KubeObject {
  const { ownerReferences = [] } = object.metadata;
  if (ownerReferences.length > 0) return object;
  // A driver whose deletion waited for its executors could not clean up after itself.
  const { blockOwnerDeletion: _blocks, ...owner } = controllerReference(driver);
  return { ...object, metadata: { ...object.metadata, ownerReferences: [owner] } };
}
