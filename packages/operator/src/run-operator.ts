import { createUndo, startManager } from "@kindling/controller";
import { KindlingError } from "@kindling/core-spec";
import { createKubeClient, isNotFound, resources, type KubeClient } from "@kindling/kube";
import { type Outside, within } from "@kindling/outside";
import {
  findCluster,
  jsonLog,
  metricsAnswer,
  OK,
  openAuditLog,
  type Log,
  type LogDestination,
  type PlainRoutes,
} from "@kindling/service";
import type { OperatorSettings } from "./flags/operator-settings.ts";
import type { ParsedFlags } from "./flags/parse-flags.ts";
import { startPlainServer } from "./health/plain-server.ts";
import type { OperatorMetrics } from "./metrics/operator-metrics.ts";
import { startOperator, type Operator } from "./operator.ts";
import { VERSION } from "./version.ts";

export interface RunOptions {
  readonly outside: Outside;
  /** The name of the pod: the first part of the lease's holder. */
  readonly holder: string;
  /** Where log lines go. */
  readonly log: LogDestination;
}

/**
 * Runs an operator: connects to the cluster, waits until its objects are listed, and acts while it leads.
 *
 * @throws KindlingError if a flag cannot be applied, or the cluster cannot be listed in time
 */
export async function runOperator(
  { settings, ignored }: ParsedFlags,
  { outside, holder, log: destination }: RunOptions,
): Promise<{ stop(): Promise<void> }> {
  const { clock, random } = outside;
  const log = jsonLog(destination, clock, settings.logLevel);
  log.info("the operator starts", { version: VERSION, ...servedBy(settings) });
  for (const { flag, reason } of ignored) log.info("a flag has no effect", { flag, reason });
  const access = await findCluster({ kubeconfigPath: settings.kubeconfig, hint: "name one with --kubeconfig" });
  const { qps, burst = qps } = settings.kubeApi;
  let count: OperatorMetrics["requestSent"] | undefined;
  const client = createKubeClient(access, {
    userAgent: "kindling-operator",
    onAttempt: (attempt) => count?.(attempt),
    ...(qps !== undefined && { rateLimit: { perSecond: qps, burst: burst ?? qps } }),
  });
  const stdout = destination;
  const auditLog = openAuditLog(settings.auditLogPath, { clock, random, log, stdout, component: "operator" });
  const operator = startOperator(settings, { client, outside, log, auditLog });
  const undo = createUndo();
  undo.add(() => client.close());
  undo.add(() => operator.stop());
  let isReady = false;
  try {
    const probes = await serveProbes(settings, () => isReady, outside);
    undo.add(() => probes?.stop());
    const scrapes = await serveMetrics(settings, operator, outside);
    undo.add(() => scrapes?.stop());
    count = operator.metrics?.requestSent;
    await inTime(operator.ready, settings.cacheSyncTimeoutMs, outside);
    isReady = true;
    log.info("the cluster has been listed", { applications: operator.caches.applications.size });
    await warnOfMissing(settings.namespaces, client, log);
    const manager = startManager({
      ...{ client, clock, random, log },
      lease: settings.leaderElection,
      identity: `${holder}_${random.uuid()}`,
      begin: (term) => operator.begin(term),
    });
    undo.add(() => manager.stop());
  } catch (error) {
    await undo.run();
    throw error;
  }
  return { stop: () => undo.run() };
}

function servedBy({ namespaces, namespaceSelector }: OperatorSettings): Record<string, string> {
  if (namespaceSelector === undefined) return { namespaces: namespaces.join(",") || "all" };
  return { namespaces: namespaces.join(","), namespaceSelector };
}

/** A misspelt namespace looks like one in which nothing happens: lists in a namespace that does not exist are empty. */
async function warnOfMissing(namespaces: readonly string[], client: KubeClient, log: Log): Promise<void> {
  for (const namespace of namespaces) {
    // An operator that serves single namespaces may have no right to ask.
    const fault = await client.get(resources.namespaces, namespace).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (isNotFound(fault)) log.warn("a namespace that should be served does not exist", { namespace });
  }
}

type Served = Awaited<ReturnType<typeof startPlainServer>> | undefined;

async function serveProbes(
  { healthProbeBindAddress }: OperatorSettings,
  isReady: () => boolean,
  { clock }: Pick<Outside, "clock">,
): Promise<Served> {
  if (healthProbeBindAddress === undefined) return undefined;
  const routes: PlainRoutes = {
    "/healthz": () => OK,
    "/readyz": () => (isReady() ? OK : { ...OK, status: 503, body: "the cluster has not been listed yet\n" }),
  };
  return await startPlainServer(healthProbeBindAddress, "health-probe-bind-address", routes, clock);
}

async function serveMetrics(
  { metrics: wanted }: OperatorSettings,
  { metrics }: Operator,
  { clock }: Pick<Outside, "clock">,
): Promise<Served> {
  if (wanted === undefined || metrics === undefined) return undefined;
  const { registry } = metrics;
  const routes: PlainRoutes = { [wanted.endpoint]: () => metricsAnswer(registry) };
  return await startPlainServer(wanted.bindAddress, "metrics-bind-address", routes, clock);
}

async function inTime(ready: Promise<void>, milliseconds: number, { clock }: Outside): Promise<void> {
  await within(clock, milliseconds, ready, () => {
    throw new KindlingError("CLUSTER_UNREACHABLE", `the cluster could not be listed within ${milliseconds / 1000} s`, {
      hint: "look at the warnings above, at the operator's rights and its CRDs, or raise --cache-sync-timeout",
    });
  });
}
