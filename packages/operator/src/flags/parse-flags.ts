import { isDnsLabel, KindlingError, quotedName } from "@kindling/core-spec";
import { parseGatewayPlace } from "@kindling/gateway-client";
import { readFeatureGates } from "./feature-gates.ts";
import { FLAGS } from "./flag-table.ts";
import { flagValues, type FlagValues } from "./flag-values.ts";
import { leaderElectionSettings } from "./leader-election-settings.ts";
import type { BatchSchedulerSettings, MetricsSettings, OperatorSettings } from "./operator-settings.ts";
import { parseWords } from "./parse-words.ts";
import { LISTEN_ADDRESS_WANTED, listenAddress } from "./listen-address.ts";
import { uiSettings } from "./ui-settings.ts";

/** What the flags of `controller start` say. */
export interface ParsedFlags {
  readonly settings: OperatorSettings;
  /** Flags of stock's operator that were written and have no effect here, each with the reason. */
  readonly ignored: readonly { readonly flag: string; readonly reason: string }[];
}

/**
 * Reads the command line after `controller start`.
 *
 * @throws KindlingError `ARGUMENT_INVALID` that names the flag and says what would be right
 */
export function parseFlags(words: readonly string[]): ParsedFlags {
  const written = parseWords(words, FLAGS);
  const values = flagValues(written, FLAGS);
  const settings = settingsOf(values);
  const ignored = FLAGS.flatMap(({ name, withoutEffect }) =>
    withoutEffect !== undefined && written.has(name) ? [{ flag: `--${name}`, reason: withoutEffect }] : [],
  );
  return { settings, ignored: [...ignored, ...withoutTheirGate(values, settings), ...gatesWithoutEffect(settings)] };
}

const PRECISIONS = ["nanos", "micros", "millis", "seconds", "minutes"] as const;
const LEVELS = ["debug", "info", "warn", "error"] as const;

function settingsOf(values: FlagValues): OperatorSettings {
  const featureGates = readFeatureGates(values.gates("feature-gates"));
  const timeToLive = values.count("default-time-to-live-seconds");
  const gateway = values.text("gateway");
  return {
    kubeconfig: values.text("kubeconfig"),
    ...servedBy(values),
    controllerThreads: values.count("controller-threads"),
    // controller-runtime reads 0 as two minutes.
    cacheSyncTimeoutMs: values.milliseconds("cache-sync-timeout") || 120_000,
    maxTrackedExecutorPerApp: values.count("max-tracked-executor-per-app"),
    defaultTimeToLiveSeconds: featureGates.has("DefaultTimeToLive") ? timeToLive : 0,
    enableDriverPdb: values.isOn("enable-driver-pdb"),
    enforceResourceQuota: values.isOn("enforce-resource-quota"),
    batchScheduler: batchScheduler(values),
    ui: uiSettings(values),
    leaderElection: leaderElectionSettings(values),
    driverPodCreationGracePeriodMs: values.milliseconds("driver-pod-creation-grace-period"),
    kubeApi: { qps: aboveZero(values.number("kube-api-qps")), burst: aboveZero(values.number("kube-api-burst")) },
    metrics: metrics(values),
    healthProbeBindAddress: address(values, "health-probe-bind-address"),
    timestampPrecision: values.oneOf("scheduled-spark-application-timestamp-precision", PRECISIONS),
    featureGates,
    submissions: atLeastOne(values, "submissions"),
    gateway: gateway === undefined ? undefined : parseGatewayPlace(gateway),
    auditLogPath: values.text("audit-log-path"),
    logLevel: logLevel(values),
  };
}

/** Stock serves the whole cluster if one of the names is empty. */
function servedBy(values: FlagValues): Pick<OperatorSettings, "namespaces" | "namespaceSelector"> {
  const namespaces = values.list("namespaces").map((name) => name.trim());
  if (namespaces.includes("")) return { namespaces: [], namespaceSelector: undefined };
  const wrong = namespaces.find((name) => !isDnsLabel(name));
  if (wrong !== undefined)
    throw new KindlingError(
      "ARGUMENT_INVALID",
      `--namespaces names ${quotedName(wrong)}, which is no name of a namespace`,
      {
        hint: "separate names with commas; name none, or an empty one, for all",
      },
    );
  return { namespaces, namespaceSelector: values.text("namespace-selector") };
}

function batchScheduler(values: FlagValues): BatchSchedulerSettings {
  const enabled = values.isOn("enable-batch-scheduler");
  const kubeSchedulerNames = entries(values, "kube-scheduler-names");
  const byDefault = values.text("default-batch-scheduler");
  const known = ["volcano", "yunikorn", ...kubeSchedulerNames];
  if (enabled && byDefault !== undefined && !known.includes(byDefault))
    throw new KindlingError(
      "ARGUMENT_INVALID",
      `--default-batch-scheduler has to be one of ${known.join(", ")}, and is ${quotedName(byDefault)}`,
      { hint: "name a scheduler with the coscheduling plugin in --kube-scheduler-names too" },
    );
  return { enabled, kubeSchedulerNames, default: byDefault };
}

function metrics(values: FlagValues): MetricsSettings | undefined {
  const bindAddress = address(values, "metrics-bind-address");
  if (!values.isOn("enable-metrics") || bindAddress === undefined) return undefined;
  return {
    bindAddress,
    endpoint: `/${(values.text("metrics-endpoint") ?? "metrics").replace(/^\//, "")}`,
    prefix: values.text("metrics-prefix") ?? "",
    labels: entries(values, "metrics-labels"),
    jobSubmitLatencyBuckets: values.numbers("metrics-job-submit-latency-buckets"),
    jobStartLatencyBuckets: values.numbers("metrics-job-start-latency-buckets"),
  };
}

/** As in controller-runtime, `0` means not to listen. Faults are reported now, since the servers start late. */
function address(values: FlagValues, name: string): string | undefined {
  const text = values.text(name);
  if (text === undefined || text === "0") return undefined;
  if (listenAddress(text) === undefined)
    throw new KindlingError(
      "ARGUMENT_INVALID",
      `--${name} has to be ${LISTEN_ADDRESS_WANTED}, and is ${quotedName(text)}`,
    );
  return text;
}

/** client-go reads a limit of 0 as its own default, which here is no limit, and a negative one as no limit. */
function aboveZero(limit: number | undefined): number | undefined {
  return limit !== undefined && limit > 0 ? limit : undefined;
}

function atLeastOne(values: FlagValues, name: string): number {
  const value = values.count(name);
  if (value === 0) throw new KindlingError("ARGUMENT_INVALID", `--${name} has to be at least 1, and is 0`);
  return value;
}

function entries(values: FlagValues, name: string): readonly string[] {
  return values.list(name).flatMap((entry) => entry.trim() || []);
}

/** Zap's levels are names, or numbers, where a higher number logs more (controller-runtime v0.24.1, pkg/log/zap/flags.go). */
function logLevel(values: FlagValues): OperatorSettings["logLevel"] {
  const zap = values.text("zap-log-level")?.toLowerCase();
  if (zap === undefined || values.isWritten("log-level")) return values.oneOf("log-level", LEVELS);
  if (/^\d+$/.test(zap)) return zap === "0" ? "info" : "debug";
  const level = zap === "panic" ? "error" : LEVELS.find((each) => each === zap);
  if (level === undefined)
    throw new KindlingError(
      "ARGUMENT_INVALID",
      `--zap-log-level has to be one of debug, info, error, panic or a number, and is ${quotedName(zap)}`,
    );
  return level;
}

function withoutTheirGate(values: FlagValues, { featureGates }: OperatorSettings): ParsedFlags["ignored"] {
  const name = "default-time-to-live-seconds";
  if (featureGates.has("DefaultTimeToLive") || values.count(name) === 0) return [];
  return [{ flag: `--${name}`, reason: "the feature gate DefaultTimeToLive is off" }];
}

const GATES_WITHOUT_EFFECT = [
  ["LoadSparkDefaults", "the operator has no spark-defaults.conf"],
  ["RestSubmitter", "applications are submitted in this process"],
] as const;

function gatesWithoutEffect({ featureGates }: OperatorSettings): ParsedFlags["ignored"] {
  return GATES_WITHOUT_EFFECT.flatMap(([gate, reason]) =>
    featureGates.has(gate) ? [{ flag: `--feature-gates=${gate}`, reason }] : [],
  );
}
