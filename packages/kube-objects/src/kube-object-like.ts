/**
 * What any object of Kubernetes may have. All members are optional, so that objects of `kubernetes-types`, of
 * `@kubernetes/client-node` and plain literals are all assignable to it.
 */
export interface KubeObjectLike {
  apiVersion?: string | undefined;
  kind?: string | undefined;
  metadata?: ObjectMetaLike | undefined;
}

/** The part of `metadata` with an object's name, versions, labels and owners. */
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
