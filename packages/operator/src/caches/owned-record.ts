import type { KubeObjectLike } from "@kindling/kube";
import { keyOf, type RecordIdentity } from "@kindling/controller";
import { OPERATOR_LABELS } from "@kindling/spark-application";

/** A service or an ingress of a driver, or of a Connect server. */
export interface OwnedRecord extends RecordIdentity {
  readonly namespace: string;
  /** `namespace/name` of the application, or of the SparkConnect. */
  readonly ownerKey: string;
}

/** The kind of an object's owner, and the label with the owner's name. */
export interface OwnerKind {
  readonly kind: string;
  readonly label: string;
}

const APPLICATION: OwnerKind = { kind: "SparkApplication", label: OPERATOR_LABELS.appName };

/** @returns undefined for objects that belong to no owner of this kind */
export function ownedRecord(
  { metadata = {} }: KubeObjectLike,
  wanted: OwnerKind = APPLICATION,
): OwnedRecord | undefined {
  const { namespace = "", name = "", uid = "", resourceVersion = "", labels = {} } = metadata;
  const owner = metadata.ownerReferences?.find(({ kind }) => kind === wanted.kind)?.name;
  const ownerName = owner ?? labels[wanted.label];
  if (ownerName === undefined) return undefined;
  return { namespace, name, uid, resourceVersion, ownerKey: keyOf({ namespace, name: ownerName }) };
}
