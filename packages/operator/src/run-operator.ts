import { KindlingError } from "@kindling/core-spec";
import { createKubeClient } from "@kindling/kube";
import { sleep, type Outside } from "@kindling/outside";
import { findCluster, jsonLog, type LogDestination } from "@kindling/service";
import type { ParsedFlags } from "./flags/parse-flags.ts";
import { startPlainServer } from "./health/plain-server.ts";
import { lead } from "./leader/lead.ts";
import { startOperator } from "./operator.ts";

export interface RunOptions {
  readonly outside: Outside;
  /** The name of the pod: the first part of the lease's holder. */
  readonly holder: string;
  /** Where log lines go. */
  readonly log: LogDestination;
}

/**
 * Runs an operator: connects to the cluster, waits for what is in it, and acts while it leads.
 *
 * @throws KindlingError if a flag cannot be carried out, or the cluster does not tell what is in it in time
 */
export async function runOperator(
  { settings, ignored }: ParsedFlags,
  { outside, holder, log: destination }: RunOptions,
): Promise<{ stop(): Promise<void> }> {
  const { clock, random } = outside;
  const log = jsonLog(destination, clock, settings.logLevel);
  for (const { flag, reason } of ignored) log.info("a flag has no effect", { flag, reason });
  const access = await findCluster({ kubeconfigPath: settings.kubeconfig, hint: "name one with --kubeconfig" });
  const { qps, burst = qps } = settings.kubeApi;
  const client = createKubeClient(access, {
    userAgent: "kindling-operator",
    ...(qps !== undefined && { rateLimit: { perSecond: qps, burst: burst ?? qps } }),
  });
  const operator = startOperator(settings, { client, outside, log });
  let isReady = false;
  const health = settings.healthProbeBindAddress;
  const ok = { status: 200, contentType: "text/plain", body: "ok\n" };
  const probes =
    health === undefined
      ? undefined
      : await startPlainServer(health, "health-probe-bind-address", {
          "/healthz": () => ok,
          "/readyz": () => (isReady ? ok : { ...ok, status: 503, body: "the cluster has not been listed yet\n" }),
        });
  const { metrics } = operator;
  const scrapes =
    settings.metrics === undefined || metrics === undefined
      ? undefined
      : await startPlainServer(settings.metrics.bindAddress, "metrics-bind-address", {
          [settings.metrics.endpoint]: async () => ({
            status: 200,
            contentType: metrics.registry.contentType,
            body: await metrics.registry.metrics(),
          }),
        });
  const stopAll = async (): Promise<void> => {
    await operator.stop();
    await probes?.stop();
    await scrapes?.stop();
    client.close();
  };
  try {
    await inTime(operator.ready, settings.cacheSyncTimeoutMs, outside);
  } catch (error) {
    await stopAll();
    throw error;
  }
  isReady = true;
  log.info("the cluster has been listed", { applications: operator.stores.applications.size });
  const leading = lead({
    ...{ client, clock, random, holder, log },
    election: settings.leaderElection,
    begin: (writing) => operator.begin(writing),
  });
  return {
    async stop() {
      await leading.stop();
      await stopAll();
    },
  };
}

async function inTime(ready: Promise<void>, milliseconds: number, { clock }: Outside): Promise<void> {
  const waited = new AbortController();
  const late = sleep(clock, milliseconds, waited.signal).then(() => {
    if (waited.signal.aborted) return;
    throw new KindlingError("CLUSTER_UNREACHABLE", `the cluster could not be listed within ${milliseconds / 1000} s`, {
      hint: "look at the warnings above, at the operator's rights and its CRDs, or raise --cache-sync-timeout",
    });
  });
  try {
    await Promise.race([ready, late]);
  } finally {
    waited.abort();
  }
}
