import { type Cache, keyOf, startCache } from "@kindling/controller";
import { type KubeClient, type KubeError, type KubeObjectLike, resources } from "@kindling/kube";
import type { Outside } from "@kindling/outside";
import { customResources, OPERATOR_LABELS } from "@kindling/spark-application";
import type { Pod } from "kubernetes-types/core/v1.js";
import { type ConnectPodRecord, connectPodRecord } from "../pods/connect-pod-record.ts";
import { type ObjectRecord, objectRecord } from "./object-record.ts";
import { type OwnedRecord, ownedRecord } from "./owned-record.ts";

/** What the operator knows of Connect servers. */
export interface ConnectCaches {
  readonly connects: Cache<ObjectRecord>;
  /** Servers and executors, under the key of their SparkConnect. */
  readonly pods: Cache<ConnectPodRecord, "connect">;
  readonly services: Cache<OwnedRecord>;
}

export interface ConnectCachesOptions extends Pick<Outside, "clock" | "random"> {
  readonly client: KubeClient;
  readonly namespaces: readonly string[];
  readonly onError: (
    kind: string,
  ) => (error: KubeError, namespace: string | undefined, isRefusedAgain: boolean) => void;
}

/**
 * Begins to watch Connect servers. The cluster may not have their definition, which came with kubeflow's release 2.3, and
 * the account may have no right to list them: then there are none.
 */
export function startConnectCaches({ client, onError, ...place }: ConnectCachesOptions): ConnectCaches {
  return {
    connects: startCache<KubeObjectLike, ObjectRecord>(client, customResources.sparkConnects, {
      ...{ ...place, keep: objectRecord, identityOf: identity, onError: onError("SparkConnect") },
      isOptional: true,
    }),
    pods: startCache<Pod, ConnectPodRecord, "connect">(client, resources.pods, {
      ...{ ...place, keep: connectPodRecord, identityOf: identity, onError: onError("Pod") },
      labelSelector: ofConnects(OPERATOR_LABELS.launchedBy),
      indexes: { connect: (pod) => [connectKeyOf(pod)] },
    }),
    services: startCache<KubeObjectLike, OwnedRecord>(client, resources.services, {
      ...{ ...place, identityOf: identity, onError: onError("Service") },
      labelSelector: ofConnects(OPERATOR_LABELS.createdBy),
      keep: (service) => ownedRecord(service, { kind: "SparkConnect", label: OPERATOR_LABELS.connectName }),
    }),
  };
}

/** Selects what an operator has made for SparkConnects. */
function ofConnects(marker: string): string {
  return `${marker}=true,${OPERATOR_LABELS.connectName}`;
}

function identity<R>(record: R): R {
  return record;
}

/** `namespace/name` of the SparkConnect that a pod belongs to. */
export function connectKeyOf({ namespace, connectName }: ConnectPodRecord): string {
  return keyOf({ namespace, name: connectName });
}
