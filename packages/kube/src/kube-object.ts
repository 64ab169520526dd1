/**
 * What every Kubernetes object has in common, as far as this package needs to know. All members are optional, so that
 * objects of `kubernetes-types`, of `@kubernetes/client-node` and plain literals are all assignable to it.
 */
export interface KubeObject {
  apiVersion?: string | undefined;
  kind?: string | undefined;
  metadata?: ObjectMeta | undefined;
}

/** The part of `metadata` with an object's name, versions, labels and owners. */
export interface ObjectMeta {
  name?: string | undefined;
  generateName?: string | undefined;
  namespace?: string | undefined;
  uid?: string | undefined;
  resourceVersion?: string | undefined;
  labels?: { [name: string]: string } | undefined;
  annotations?: { [name: string]: string } | undefined;
  ownerReferences?: { apiVersion: string; kind: string; name: string; uid: string }[] | undefined;
}

/** `metadata` of a list. */
export interface ListMeta {
  resourceVersion?: string | undefined;
  continue?: string | undefined;
  remainingItemCount?: number | undefined;
}
