import type { Term } from "@kindling/controller";
import type { KubeClient } from "@kindling/kube";
import type { Outside } from "@kindling/outside";
import { type AuditLog, type Log, NO_AUDIT } from "@kindling/service";
import { cachedInstallations } from "@kindling/submit";
import { type OperatorCaches, startOperatorCaches } from "./caches/operator-caches.ts";
import { runApplications } from "./controllers/application/application-controller.ts";
import { type ActivityAsker, createActivityAsker } from "./connect-activity/ask-server.ts";
import { auditOperator } from "./controllers/audit-operator.ts";
import { runConnects } from "./controllers/connect/connect-controller.ts";
import { runSchedules } from "./controllers/schedule/schedule-controller.ts";
import type { OperatorSettings } from "./flags/operator-settings.ts";
import { createOperatorMetrics, type OperatorMetrics } from "./metrics/operator-metrics.ts";
import { readProcess } from "./metrics/process-metrics.ts";
import { createTimeZones } from "./schedule/cron/time-zones.ts";

export interface OperatorOptions {
  /** A client for the cluster with the operator's own account. The caller closes it. */
  readonly client: KubeClient;
  readonly outside: Outside;
  readonly log: Log;
  /** Default: no audit log. */
  readonly auditLog?: AuditLog;
  /** Asks Connect servers what they do. Default: by Spark's UI. */
  readonly asker?: ActivityAsker;
}

/** An operator with caches of the cluster. It acts only while it leads (in a term). */
export interface Operator {
  /** Resolves when everything has been listed once. */
  readonly ready: Promise<void>;
  readonly caches: OperatorCaches;
  readonly metrics: OperatorMetrics | undefined;
  /** Acts until the end of a term. */
  begin(term: Term): void;
  stop(): Promise<void>;
}

/** Watches applications, Connect servers, their pods, and the services and ingresses of drivers. */
export function startOperator(
  settings: OperatorSettings,
  { client, outside, log, auditLog = NO_AUDIT, asker = createActivityAsker(outside.clock) }: OperatorOptions,
): Operator {
  const { clock, random } = outside;
  const zones = createTimeZones(outside.env["TZ"] ?? "UTC");
  const caches = startOperatorCaches({
    ...{ client, settings, log, clock, random },
    pickLabels: (labels) => metrics?.labels.pick(labels) ?? {},
  });
  const audit = auditOperator(auditLog);
  let terms = 0;
  const metrics = metricsOf(settings, caches, clock, () => terms > 0);
  return {
    ready: caches.synced,
    caches,
    metrics,
    begin(term) {
      terms += 1;
      term.onEnd(() => void (terms -= 1));
      runApplications(term, {
        ...{ outside, settings, caches, log, audit, metrics },
        installations: cachedInstallations({ clock }),
      });
      runSchedules(term, {
        ...{ outside, caches, log, audit, metrics },
        rules: { precision: settings.timestampPrecision, zones, stockTiming: false },
      });
      runConnects(term, { outside, caches, asker, log, audit, metrics });
    },
    async stop() {
      asker.close();
      await caches.stop();
    },
  };
}

function metricsOf(
  settings: OperatorSettings,
  { applications, pods, namespaces }: OperatorCaches,
  clock: Outside["clock"],
  isLeading: () => boolean,
): OperatorMetrics | undefined {
  if (settings.metrics === undefined) return undefined;
  const served = <R extends { readonly namespace: string }>(records: Iterable<R>): readonly R[] =>
    [...records].filter(({ namespace }) => namespaces.serves(namespace));
  const metrics = createOperatorMetrics(settings.metrics, {
    ...{ clock, readProcess, isLeading },
    applications: () => served(applications.values()),
    pods: () => served(pods.values()),
    leaseName: settings.leaderElection?.name,
  });
  pods.subscribe({
    changed(change) {
      if (!namespaces.serves(change.record.namespace)) return;
      const before = change.type === "added" ? undefined : change.previous;
      metrics.executorChanged(before, change.type === "deleted" ? undefined : change.record);
    },
  });
  return metrics;
}
