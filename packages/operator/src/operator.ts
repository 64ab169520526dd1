import { resources, type KubeClient, type KubeError, type Reflector } from "@kindling/kube";
import type { Outside } from "@kindling/outside";
import type { Log } from "@kindling/service";
import { cachedInstallations } from "@kindling/submit";
import { customResources } from "./act/custom-resources.ts";
import { startApplicationController, type ApplicationController } from "./controllers/application-controller.ts";
import { createApplicationStores, type ApplicationStores } from "./watch/application-stores.ts";
import { startScheduleController, type ScheduleController } from "./controllers/schedule-controller.ts";
import type { OperatorSettings } from "./flags/operator-settings.ts";
import type { Term } from "./leader/lead.ts";
import { createOperatorMetrics, type OperatorMetrics } from "./metrics/operator-metrics.ts";
import { readProcess } from "./metrics/process-metrics.ts";
import { OPERATOR_LABELS } from "./names/operator-labels.ts";
import type { Pod } from "kubernetes-types/core/v1.js";
import { podRecord } from "./pods/pod-record.ts";
import { resourceTypes } from "./resources/resource-types.ts";
import { createTimeZones } from "./schedule/cron/time-zones.ts";
import { objectRecord, type ObjectRecord } from "./watch/application-record.ts";
import { ownedRecord, type OwnedRecord } from "./watch/owned-record.ts";
import { createRecordStore, recordKey, type KeptRecord } from "./watch/record-store.ts";
import { servedNamespaces } from "./watch/served-namespaces.ts";
import { watchObjects } from "./watch/watch-objects.ts";

export interface OperatorOptions {
  /** The cluster, as the operator's own account; closed by whoever made it. */
  readonly client: KubeClient;
  readonly outside: Outside;
  readonly log: Log;
}

/** An operator that knows what is in the cluster. It acts only in a term. */
export interface Operator {
  /** Resolves when everything has been listed once. */
  readonly ready: Promise<void>;
  readonly stores: ApplicationStores;
  readonly metrics: OperatorMetrics | undefined;
  /** @param client writes only while this process may act */
  begin(client: KubeClient): Term;
  stop(): Promise<void>;
}

/** Watches applications, their pods, and what stands around them. */
export function startOperator(settings: OperatorSettings, { client, outside, log }: OperatorOptions): Operator {
  const { clock, random } = outside;
  const zones = createTimeZones(outside.env["TZ"] ?? "UTC");
  const schedulers = new Set<ScheduleController>();
  const tellSchedulers = (key: string): void => schedulers.forEach((scheduler) => scheduler.changed(key));
  const schedules = createRecordStore<ObjectRecord>({
    onChange(before, after) {
      const record = after ?? before;
      if (record !== undefined) tellSchedulers(recordKey(record));
    },
  });
  const controllers = new Set<ApplicationController>();
  const tell = (change: (controller: ApplicationController) => void): void => controllers.forEach(change);
  const stores = createApplicationStores({
    onChange: (key) => tell((controller) => controller.changed(key)),
    onRunChange: tellSchedulers,
    onPodChange(before, after) {
      const { namespace } = after ?? before ?? {};
      if (namespace !== undefined && namespaces.serves(namespace)) metrics?.executorChanged(before, after);
    },
    onGone: (uid) => tell((controller) => controller.gone(uid)),
  });
  const owned = createRecordStore<OwnedRecord>({
    onChange(before, after) {
      if (before !== undefined) tell((controller) => controller.surroundingsChanged((after ?? before).applicationKey));
    },
  });
  const onError = (error: KubeError, kind: string): void => log.warn("a watch", { kind, error: error.message });
  const namespaces = servedNamespaces({
    ...{ client, clock, random, onError },
    namespaces: settings.namespaces,
    selector: settings.namespaceSelector,
    onServed(namespace) {
      for (const record of stores.applications.all())
        if (record.namespace === namespace) tell((controller) => controller.changed(recordKey(record)));
      for (const record of schedules.all()) if (record.namespace === namespace) tellSchedulers(recordKey(record));
    },
  });
  const served = <R extends KeptRecord>(records: Iterable<R>): readonly R[] =>
    [...records].filter(({ namespace }) => namespaces.serves(namespace));
  const metrics =
    settings.metrics === undefined
      ? undefined
      : createOperatorMetrics(settings.metrics, {
          ...{ clock, readProcess },
          applications: () => served(stores.applications.all()),
          pods: () => served(stores.pods.all()),
          isLeading: () => controllers.size > 0,
          leaseName: settings.leaderElection?.lockName,
        });
  const place = { client, namespaces: namespaces.watched, onError, clock, random };
  const ownedByApplications = { labelSelector: `${OPERATOR_LABELS.createdBy}=true`, keep: ownedRecord, store: owned };
  const reflectors: readonly Reflector[] = [
    ...watchObjects(place, { type: customResources.sparkApplications, keep: objectRecord, store: stores.applications }),
    ...watchObjects(place, { type: customResources.scheduledSparkApplications, keep: objectRecord, store: schedules }),
    ...watchObjects(place, {
      type: resources.pods,
      labelSelector: `${OPERATOR_LABELS.launchedBy}=true`,
      keep: (pod: Pod) => podRecord(pod, (labels) => metrics?.labels.pick(labels) ?? {}),
      store: stores.pods,
    }),
    ...watchObjects(place, { type: resources.services, ...ownedByApplications }),
    ...(settings.ui.ingressUrlFormat === undefined
      ? []
      : watchObjects(place, { type: resourceTypes.ingresses, ...ownedByApplications })),
  ];
  for (const { ended } of reflectors) ended.catch(() => undefined);
  const ready = Promise.all([namespaces.synced, ...reflectors.map(({ synced }) => synced)]).then(() => undefined);
  ready.catch(() => undefined);
  return {
    ready,
    stores,
    metrics,
    begin(writing) {
      const controller = startApplicationController({
        ...{ client: writing, outside, settings, stores, log },
        installations: cachedInstallations({ clock }),
        serves: (namespace) => namespaces.serves(namespace),
        metrics,
      });
      const scheduler = startScheduleController({
        ...{ client: writing, outside, schedules, applications: stores.applications, log, metrics },
        rules: { precision: settings.timestampPrecision, zones, stockTiming: false },
        serves: (namespace) => namespaces.serves(namespace),
      });
      controllers.add(controller);
      schedulers.add(scheduler);
      return {
        async stop() {
          controllers.delete(controller);
          schedulers.delete(scheduler);
          await Promise.all([controller.stop(), scheduler.stop()]);
        },
      };
    },
    async stop() {
      await Promise.all([...controllers, ...schedulers].map((each) => each.stop()));
      await Promise.allSettled([namespaces.stop(), ...reflectors.map((reflector) => reflector.stop())]);
    },
  };
}
