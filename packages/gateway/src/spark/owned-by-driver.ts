import { controllerReference, type KubeObject } from "@kindling/kube-objects";

/**
 * Makes the driver the owner of an object that runs executors, so that it is deleted with the driver, even if Spark has not
 * set this.
 */
export function ownedByDriver(object: KubeObject, driver: KubeObject): KubeObject {
  const { ownerReferences = [] } = object.metadata;
  if (ownerReferences.length > 0) return object;
  // With `blockOwnerDeletion`, the deletion of a driver could wait for its executors, and the driver could not clean up.
  const { blockOwnerDeletion: _blocks, ...owner } = controllerReference(driver);
  return { ...object, metadata: { ...object.metadata, ownerReferences: [owner] } };
}
