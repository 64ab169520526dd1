import type { KubeObjectLike } from "@kindling/kube";
import { keyOf, type RecordIdentity } from "@kindling/controller";
import { OPERATOR_LABELS } from "@kindling/spark-application";

/** A service or an ingress of an application's driver. */
export interface OwnedRecord extends RecordIdentity {
  readonly namespace: string;
  /** `namespace/name` of the application. */
  readonly applicationKey: string;
}

/** @returns undefined for objects that belong to no application */
export function ownedRecord({ metadata = {} }: KubeObjectLike): OwnedRecord | undefined {
  const { namespace = "", name = "", uid = "", resourceVersion = "", labels = {} } = metadata;
  const owner = metadata.ownerReferences?.find(({ kind }) => kind === "SparkApplication")?.name;
  const applicationName = owner ?? labels[OPERATOR_LABELS.appName];
  if (applicationName === undefined) return undefined;
  const applicationKey = keyOf({ namespace, name: applicationName });
  return { namespace, name, uid, resourceVersion, applicationKey };
}
