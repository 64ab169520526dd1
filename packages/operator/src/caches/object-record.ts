import type { KubeObjectLike } from "@kindling/kube";
import { type RecordIdentity, keyOf } from "@kindling/controller";
import { OPERATOR_LABELS } from "@kindling/spark-application";

/** An application or a schedule as it was received, without the parts that the operator does not read. */
export interface ObjectRecord extends RecordIdentity {
  readonly namespace: string;
  readonly object: KubeObjectLike;
}

/** The parts of `metadata` that are large and say nothing to the operator. */
const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

export function objectRecord(object: KubeObjectLike): ObjectRecord {
  const {
    managedFields: _managedFields,
    annotations,
    ...metadata
  } = {
    managedFields: undefined,
    ...object.metadata,
  };
  const { [LAST_APPLIED]: _lastApplied, ...kept } = annotations ?? {};
  const { namespace = "", name = "", uid = "", resourceVersion = "" } = metadata;
  return {
    ...{ namespace, name, uid, resourceVersion },
    object: { ...object, metadata: Object.keys(kept).length === 0 ? metadata : { ...metadata, annotations: kept } },
  };
}

/** `namespace/name` of the schedule that an application is a run of. */
export function scheduleKeyOf({ namespace, object }: ObjectRecord): string | undefined {
  const name = object.metadata?.labels?.[OPERATOR_LABELS.scheduledAppName];
  return name === undefined ? undefined : keyOf({ namespace, name });
}
