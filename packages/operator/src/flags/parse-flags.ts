import { KindlingError, quotedName } from "@kindling/core-spec";
import type { IngressTLS } from "kubernetes-types/networking/v1.js";
import { isJsonObject } from "../api/v1beta2/shapes/read-shape.ts";
import { FLAGS } from "./flag-table.ts";
import { flagValues, type FlagValues } from "./flag-values.ts";
import type { FeatureGate, LeaderElectionSettings, MetricsSettings, OperatorSettings } from "./operator-settings.ts";
import { parseWords } from "./parse-words.ts";

/** What the flags of `controller start` say. */
export interface ParsedFlags {
  readonly settings: OperatorSettings;
  /** Flags of stock's operator that were written and have no effect here, each with the reason. */
  readonly ignored: readonly { readonly flag: string; readonly reason: string }[];
}

/** @throws KindlingError `ARGUMENT_INVALID` that names the flag and says what would be right */
export function parseFlags(words: readonly string[]): ParsedFlags {
  const written = parseWords(words, FLAGS);
  const values = flagValues((name) => {
    const flag = FLAGS.find((each) => each.name === name);
    if (flag === undefined) throw new Error(`there is no flag ${name}`);
    const all = written.get(name) ?? [flag.default];
    return flag.kind === "list" || flag.kind === "gates" ? all.join(",") : (all.at(-1) ?? "");
  });
  return {
    settings: settingsOf(values),
    ignored: FLAGS.flatMap(({ name, withoutEffect }) =>
      withoutEffect !== undefined && written.has(name) ? [{ flag: `--${name}`, reason: withoutEffect }] : [],
    ),
  };
}

const PRECISIONS = ["nanos", "micros", "millis", "seconds", "minutes"] as const;
const LEVELS = ["debug", "info", "warn", "error"] as const;

function settingsOf(values: FlagValues): OperatorSettings {
  const gates = featureGates(values);
  return {
    kubeconfig: values.text("kubeconfig"),
    ...servedBy(values),
    controllerThreads: values.count("controller-threads", 1),
    cacheSyncTimeoutMs: values.milliseconds("cache-sync-timeout"),
    maxTrackedExecutorPerApp: values.count("max-tracked-executor-per-app", 0),
    defaultTimeToLiveSeconds: gates.has("DefaultTimeToLive") ? values.count("default-time-to-live-seconds", 0) : 0,
    enableDriverPdb: values.isOn("enable-driver-pdb"),
    enforceResourceQuota: values.isOn("enforce-resource-quota"),
    batchScheduler: {
      enabled: values.isOn("enable-batch-scheduler"),
      kubeSchedulerNames: values.list("kube-scheduler-names"),
      default: values.text("default-batch-scheduler"),
    },
    ui: {
      enableService: values.isOn("enable-ui-service"),
      ingressClassName: values.text("ingress-class-name"),
      ingressUrlFormat: values.text("ingress-url-format"),
      ingressTls: ingressTls(values),
      ingressAnnotations: ingressAnnotations(values),
    },
    leaderElection: leaderElection(values),
    driverPodCreationGracePeriodMs: values.milliseconds("driver-pod-creation-grace-period"),
    kubeApi: { qps: values.number("kube-api-qps"), burst: values.number("kube-api-burst") },
    metrics: metrics(values),
    healthProbeBindAddress: address(values.text("health-probe-bind-address")),
    timestampPrecision: values.oneOf("scheduled-spark-application-timestamp-precision", PRECISIONS),
    featureGates: gates,
    submissions: values.count("submissions", 1),
    logLevel: logLevel(values),
  };
}

/** Stock serves the whole cluster if one of the names is empty. Its own chart writes an empty name as two quotes. */
function servedBy(values: FlagValues): Pick<OperatorSettings, "namespaces" | "namespaceSelector"> {
  const names = (values.text("namespaces")?.split(",") ?? []).map((name) => name.trim());
  if (names.some((name) => name === "" || name === '""')) return { namespaces: [], namespaceSelector: undefined };
  return { namespaces: names, namespaceSelector: values.text("namespace-selector") };
}

function leaderElection(values: FlagValues): LeaderElectionSettings | undefined {
  if (!values.isOn("leader-election")) return undefined;
  return {
    lockName: values.text("leader-election-lock-name") ?? "spark-operator-lock",
    lockNamespace: values.text("leader-election-lock-namespace") ?? "spark-operator",
    leaseDurationMs: values.milliseconds("leader-election-lease-duration"),
    renewDeadlineMs: values.milliseconds("leader-election-renew-deadline"),
    retryPeriodMs: values.milliseconds("leader-election-retry-period"),
  };
}

function metrics(values: FlagValues): MetricsSettings | undefined {
  const bindAddress = address(values.text("metrics-bind-address"));
  if (!values.isOn("enable-metrics") || bindAddress === undefined) return undefined;
  return {
    bindAddress,
    endpoint: values.text("metrics-endpoint") ?? "/metrics",
    prefix: values.text("metrics-prefix") ?? "",
    labels: values.list("metrics-labels"),
    jobSubmitLatencyBuckets: values.numbers("metrics-job-submit-latency-buckets"),
    jobStartLatencyBuckets: values.numbers("metrics-job-start-latency-buckets"),
  };
}

/** As controller-runtime has it, `0` is nowhere. */
function address(text: string | undefined): string | undefined {
  return text === "0" ? undefined : text;
}

/** Zap's levels are names or numbers, of which the higher ones tell more. */
function logLevel(values: FlagValues): OperatorSettings["logLevel"] {
  const zap = values.text("zap-log-level");
  if (zap === undefined) return values.oneOf("log-level", LEVELS);
  if (/^\d+$/.test(zap)) return zap === "0" ? "info" : "debug";
  return zap === "panic" || zap === "fatal" ? "error" : values.oneOf("zap-log-level", LEVELS);
}

const GATES: readonly FeatureGate[] = ["PartialRestart", "LoadSparkDefaults", "RestSubmitter", "DefaultTimeToLive"];

function featureGates(values: FlagValues): ReadonlySet<FeatureGate> {
  const on = new Set<FeatureGate>();
  for (const written of values.list("feature-gates")) {
    const [name = "", value = ""] = written.split("=");
    const gate = GATES.find((each) => each === name.trim());
    // Kubernetes' own gates that stand for all of their kind.
    if (gate === undefined && name !== "AllAlpha" && name !== "AllBeta")
      throw new KindlingError("ARGUMENT_INVALID", `--feature-gates: there is no gate ${quotedName(name)}`, {
        hint: `there are ${GATES.join(", ")}`,
      });
    if (value !== "true" && value !== "false")
      throw new KindlingError(
        "ARGUMENT_INVALID",
        `--feature-gates: ${quotedName(written)} has to end in =true or =false`,
      );
    for (const each of gate === undefined ? GATES : [gate]) {
      if (value === "true") on.add(each);
      else on.delete(each);
    }
  }
  return on;
}

function ingressTls(values: FlagValues): readonly IngressTLS[] {
  const json = values.json("ingress-tls") ?? [];
  if (!Array.isArray(json) || !json.every(isTls))
    throw wrongJson("ingress-tls", '[{"hosts":["*.example.com"],"secretName":"tls"}]');
  return json;
}

function isTls(value: unknown): value is IngressTLS {
  if (!isJsonObject(value)) return false;
  const { hosts = [], secretName = "" } = value;
  return Array.isArray(hosts) && hosts.every((host) => typeof host === "string") && typeof secretName === "string";
}

function ingressAnnotations(values: FlagValues): Readonly<Record<string, string>> {
  const json = values.json("ingress-annotations") ?? {};
  if (!isJsonObject(json)) throw wrongJson("ingress-annotations", '{"name":"value"}');
  const entries = Object.entries(json).map(([name, value]): [string, string] => {
    if (typeof value !== "string") throw wrongJson("ingress-annotations", '{"name":"value"}');
    return [name, value];
  });
  return Object.fromEntries(entries);
}

function wrongJson(name: string, example: string): KindlingError {
  return new KindlingError("ARGUMENT_INVALID", `--${name} has to be JSON such as ${example}`);
}
