/**
 * What any object of Kubernetes may have. All members are optional, so that objects of `kubernetes-types`, of
 * `@kubernetes/client-node` and plain literals are all assignable to it.
 */
export interface KubeObjectLike {
  apiVersion?: string | undefined;
  kind?: string | undefined;
  metadata?: ObjectMetaLike | undefined;
}

/** The part of `metadata` that addresses, versions, labels and binds an object. */
export interface ObjectMetaLike {
  name?: string | undefined;
  generateName?: string | undefined;
  namespace?: string | undefined;
  uid?: string | undefined;
  resourceVersion?: string | undefined;
  labels?: { [name: string]: string } | undefined;
  annotations?: { [name: string]: string } | undefined;
  ownerReferences?: { apiVersion: string; kind: string; name: string; uid: string }[] | undefined;
}
