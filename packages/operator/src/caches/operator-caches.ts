import { type KubeObjectLike, type KubeClient, resources, type ResourceType } from "@kindling/kube";
import { type Cache, keyOf, startCache } from "@kindling/controller";
import type { Outside } from "@kindling/outside";
import type { Log } from "@kindling/service";
import type { Pod } from "kubernetes-types/core/v1.js";
import type { OperatorSettings } from "../flags/operator-settings.ts";
import { customResources, OPERATOR_LABELS } from "@kindling/spark-application";
import { resourceTypes } from "../resources/resource-types.ts";
import { type ConnectCaches, startConnectCaches } from "./connect-caches.ts";
import { type ObjectRecord, objectRecord, scheduleKeyOf } from "./object-record.ts";
import { type OwnedRecord, ownedRecord } from "./owned-record.ts";
import { type PodRecord, podRecord } from "../pods/pod-record.ts";
import { type ServedNamespaces, servedNamespaces } from "./served-namespaces.ts";

/** SparkApplications, with the runs of a schedule under its key. */
export type ApplicationCache = Cache<ObjectRecord, "schedule">;

/** Drivers and executors, under the key of their application. */
export type PodCache = Cache<PodRecord, "application">;

/** What the operator knows of the cluster. */
export interface OperatorCaches {
  readonly applications: ApplicationCache;
  readonly schedules: Cache<ObjectRecord>;
  readonly pods: PodCache;
  /** The services and ingresses of drivers. */
  readonly owned: readonly Cache<OwnedRecord>[];
  readonly connect: ConnectCaches;
  readonly namespaces: ServedNamespaces;
  /** Resolves when all has been listed once. */
  readonly synced: Promise<void>;
  stop(): Promise<void>;
}

export interface OperatorCachesOptions extends Pick<Outside, "clock" | "random"> {
  readonly client: KubeClient;
  readonly settings: Pick<OperatorSettings, "namespaces" | "namespaceSelector" | "ui">;
  readonly log: Log;
  /** Chooses the labels of pods that become labels of metrics. */
  readonly pickLabels: (labels: PodRecord["labels"]) => PodRecord["labels"];
}

/** Begins to watch applications, schedules, Connect servers, their pods, and the services and ingresses of drivers. */
export function startOperatorCaches(options: OperatorCachesOptions): OperatorCaches {
  const { client, settings, log, pickLabels, clock, random } = options;
  // A namespace that was deleted stays refused: this is said once.
  const onError =
    (kind: string) =>
    (error: Error, namespace: string | undefined, isRefusedAgain: boolean): void => {
      if (!isRefusedAgain) log.warn("a watch", { kind, namespace, error: error.message });
    };
  const namespaces = servedNamespaces({
    ...{ client, clock, random, onError: onError("Namespace") },
    namespaces: settings.namespaces,
    selector: settings.namespaceSelector,
  });
  const place = { clock, random, namespaces: namespaces.watched };
  const applications = startCache<KubeObjectLike, ObjectRecord, "schedule">(client, customResources.sparkApplications, {
    ...{ ...place, keep: objectRecord, identityOf: identity, onError: onError("SparkApplication") },
    indexes: {
      schedule: (record) => {
        const key = scheduleKeyOf(record);
        return key === undefined ? [] : [key];
      },
    },
  });
  const schedules = startCache<KubeObjectLike, ObjectRecord>(client, customResources.scheduledSparkApplications, {
    ...{ ...place, keep: objectRecord, identityOf: identity, onError: onError("ScheduledSparkApplication") },
  });
  const pods = startCache<Pod, PodRecord, "application">(client, resources.pods, {
    ...{ ...place, identityOf: identity, onError: onError("Pod") },
    labelSelector: `${OPERATOR_LABELS.launchedBy}=true`,
    keep: (pod) => podRecord(pod, pickLabels),
    indexes: { application: (pod) => [applicationKeyOf(pod)] },
  });
  const besideDrivers = (type: ResourceType): Cache<OwnedRecord> =>
    startCache(client, type, {
      ...{ ...place, identityOf: identity, onError: onError(type.kind) },
      keep: (object) => ownedRecord(object),
      labelSelector: `${OPERATOR_LABELS.createdBy}=true`,
    });
  const hasIngresses = settings.ui.ingressUrlFormat !== undefined;
  const owned = [resources.services, ...(hasIngresses ? [resourceTypes.ingresses] : [])].map(besideDrivers);
  const connect = startConnectCaches({ client, onError, ...place });
  const all = [namespaces, applications, schedules, pods, ...owned, ...Object.values(connect)];
  const synced = Promise.all(all.map((one) => one.synced)).then(() => undefined);
  synced.catch(() => undefined);
  return {
    ...{ applications, schedules, pods, owned, connect, namespaces, synced },
    async stop() {
      await Promise.allSettled(all.map((one) => one.stop()));
    },
  };
}

/** `namespace/name` of the application that a pod belongs to. */
export function applicationKeyOf({ namespace, applicationName }: PodRecord): string {
  return keyOf({ namespace, name: applicationName });
}

function identity<R>(record: R): R {
  return record;
}
