import { isKindlingError, type KindlingError } from "@kindling/core-spec";
import fc from "fast-check";
import { expect, test } from "vitest";
import { FLAGS } from "../../src/flags/flag-table.ts";
import type { OperatorSettings } from "../../src/flags/operator-settings.ts";
import { parseFlags } from "../../src/flags/parse-flags.ts";

function settings(...words: string[]): OperatorSettings {
  return parseFlags(words).settings;
}

const DEFAULTS: OperatorSettings = {
  kubeconfig: undefined,
  namespaces: [],
  namespaceSelector: undefined,
  controllerThreads: 10,
  cacheSyncTimeoutMs: 30_000,
  maxTrackedExecutorPerApp: 1000,
  defaultTimeToLiveSeconds: 0,
  enableDriverPdb: false,
  enforceResourceQuota: false,
  batchScheduler: { enabled: false, kubeSchedulerNames: [], default: undefined },
  ui: {
    ...{ enableService: true, ingressClassName: undefined, ingressUrlFormat: undefined },
    ...{ ingressTls: [], ingressAnnotations: {} },
  },
  leaderElection: undefined,
  driverPodCreationGracePeriodMs: 10_000,
  kubeApi: { qps: undefined, burst: undefined },
  metrics: undefined,
  healthProbeBindAddress: ":8081",
  timestampPrecision: "nanos",
  featureGates: new Set(),
  submissions: 50,
  gateway: undefined,
  logLevel: "info",
};

test("without flags there are defaults", () => {
  expect(parseFlags([])).toEqual({ settings: DEFAULTS, ignored: [] });
});

test("to write the defaults changes nothing", () => {
  const words = FLAGS.filter(({ withoutEffect, default: value }) => withoutEffect === undefined && value !== "");
  expect(settings(...words.map(({ name, default: value }) => `--${name}=${value}`))).toEqual(DEFAULTS);
});

test.each<[string[], Partial<OperatorSettings>]>([
  [["--namespaces=a,b", "--namespaces", "c"], { namespaces: ["a", "b", "c"] }],
  [["--namespaces=a", "--namespaces="], { namespaces: ["a"] }],
  [['--namespaces=""'], {}],
  [["--namespaces=a,", "--namespace-selector=spark=on"], {}],
  [["--namespaces=a", "--namespace-selector=spark=on"], { namespaces: ["a"], namespaceSelector: "spark=on" }],
  [["--namespace-selector", "env in (a,b)"], { namespaceSelector: "env in (a,b)" }],
  [["--controller-threads=64", "--submissions=8"], { controllerThreads: 64, submissions: 8 }],
  [["--cache-sync-timeout=1m30s"], { cacheSyncTimeoutMs: 90_000 }],
  [["--cache-sync-timeout=0"], { cacheSyncTimeoutMs: 120_000 }],
  [["--driver-pod-creation-grace-period=500ms"], { driverPodCreationGracePeriodMs: 500 }],
  [["--max-tracked-executor-per-app=0"], { maxTrackedExecutorPerApp: 0 }],
  [["--enable-driver-pdb", "--enforce-resource-quota=T"], { enableDriverPdb: true, enforceResourceQuota: true }],
  [["--kube-api-qps=2.5", "--kube-api-burst=7"], { kubeApi: { qps: 2.5, burst: 7 } }],
  [["--kube-api-qps=-1", "--kube-api-burst=0"], { kubeApi: { qps: undefined, burst: undefined } }],
  [["--health-probe-bind-address=0"], { healthProbeBindAddress: undefined }],
  [["--health-probe-bind-address="], { healthProbeBindAddress: undefined }],
  [["--health-probe-bind-address=127.0.0.1:9"], { healthProbeBindAddress: "127.0.0.1:9" }],
  [["--scheduled-spark-application-timestamp-precision=seconds"], { timestampPrecision: "seconds" }],
  [["--kubeconfig=/etc/kubeconfig"], { kubeconfig: "/etc/kubeconfig" }],
  [["--log-level=warn"], { logLevel: "warn" }],
  [["--zap-log-level=ERROR"], { logLevel: "error" }],
  [["--zap-log-level=panic"], { logLevel: "error" }],
  [["--zap-log-level=3"], { logLevel: "debug" }],
  [["--zap-log-level=debug", "--log-level=info"], { logLevel: "info" }],
])("%j is what it says", (words, changed) => {
  expect(settings(...words)).toEqual({ ...DEFAULTS, ...changed });
});

test("batch schedulers", () => {
  const kube = ["--enable-batch-scheduler", "--kube-scheduler-names=one,two"];
  const both = { enabled: true, kubeSchedulerNames: ["one", "two"] };
  expect(settings(...kube, "--default-batch-scheduler=two").batchScheduler).toEqual({ ...both, default: "two" });
  expect(settings(...kube, "--default-batch-scheduler=volcano").batchScheduler).toEqual({
    ...both,
    default: "volcano",
  });
  expect(settings("--default-batch-scheduler=three").batchScheduler.default).toBe("three");
});

test("the UI's ingress", () => {
  const words = [
    "--enable-ui-service=false",
    "--ingress-class-name=nginx",
    "--ingress-url-format={{$appName}}.example.com",
    '--ingress-tls=[{"hosts":["*.example.com"],"secretName":"tls"},{}]',
    '--ingress-annotations={"a/b":"c"}',
  ];
  expect(settings(...words).ui).toEqual({
    enableService: false,
    ingressClassName: "nginx",
    ingressUrlFormat: "{{$appName}}.example.com",
    ingressTls: [{ hosts: ["*.example.com"], secretName: "tls" }, {}],
    ingressAnnotations: { "a/b": "c" },
  });
  expect(settings("--ingress-tls=", "--ingress-annotations=null").ui).toEqual(DEFAULTS.ui);
});

test("leader election", () => {
  const usual = { name: "spark-operator-lock", namespace: "spark-operator", leaseDurationMs: 15_000 };
  const times = { renewDeadlineMs: 10_000, retryPeriodMs: 2_000 };
  expect(settings("--leader-election").leaderElection).toEqual({ ...usual, ...times });
  expect(
    settings("--leader-election", "--leader-election-lock-name=mine", "--leader-election-retry-period=8s")
      .leaderElection,
  ).toEqual({ ...usual, ...times, name: "mine", retryPeriodMs: 8_000 });
});

test("metrics are served if they are wanted and there is an address", () => {
  const usual = {
    ...{ bindAddress: ":8080", endpoint: "/metrics", prefix: "", labels: [] },
    jobSubmitLatencyBuckets: [0.5, 1, 2, 4, 8, 16, 32, 64, 128, 256],
    jobStartLatencyBuckets: [30, 60, 90, 120, 150, 180, 210, 240, 270, 300],
  };
  expect(settings("--enable-metrics").metrics).toBeUndefined();
  expect(settings("--enable-metrics", "--metrics-bind-address=").metrics).toBeUndefined();
  expect(settings("--metrics-bind-address=:8080").metrics).toBeUndefined();
  const served = ["--enable-metrics", "--metrics-bind-address=:8080"];
  expect(settings(...served).metrics).toEqual(usual);
  for (const endpoint of ["own/path", "/own/path"])
    expect(settings(...served, `--metrics-endpoint=${endpoint}`).metrics?.endpoint).toBe("/own/path");
  expect(settings(...served, "--metrics-endpoint=").metrics?.endpoint).toBe("/metrics");
  const labels = ["--metrics-labels=app_type,", "--metrics-labels=team"];
  const more = ["--metrics-prefix=p_", "--metrics-job-submit-latency-buckets=1, 2.5"];
  expect(settings(...served, ...labels, ...more).metrics).toEqual({
    ...usual,
    ...{ prefix: "p_", labels: ["app_type", "team"], jobSubmitLatencyBuckets: [1, 2.5] },
  });
});

test.each<[string, string[]]>([
  ["", []],
  ["PartialRestart=true", ["PartialRestart"]],
  ["PartialRestart=true,PartialRestart=false", []],
  [" PartialRestart = True ,", ["PartialRestart"]],
  ["AllAlpha=true", ["PartialRestart", "LoadSparkDefaults", "RestSubmitter", "DefaultTimeToLive"]],
  ["PartialRestart=false,RestSubmitter=0,AllAlpha=1", ["LoadSparkDefaults", "DefaultTimeToLive"]],
  ["AllBeta=true,AllAlpha=false", []],
])("the feature gates %j", (text, gates) => {
  expect([...settings(`--feature-gates=${text}`).featureGates]).toEqual(gates);
});

test("gates may be written in several flags", () => {
  const gates = settings(
    "--feature-gates=PartialRestart=true,RestSubmitter=true",
    "--feature-gates=RestSubmitter=false",
  );
  expect([...gates.featureGates]).toEqual(["PartialRestart"]);
});

test("a time to live for all takes its gate", () => {
  const flag = "--default-time-to-live-seconds";
  expect(parseFlags([`${flag}=60`])).toEqual({
    settings: DEFAULTS,
    ignored: [{ flag, reason: "the feature gate DefaultTimeToLive is off" }],
  });
  const on = parseFlags([`${flag}=60`, "--feature-gates=DefaultTimeToLive=true"]);
  expect(on.settings.defaultTimeToLiveSeconds).toBe(60);
  expect(on.ignored).toEqual([]);
});

test("flags and gates without an effect are told, once each", () => {
  const { settings: read, ignored } = parseFlags([
    "--zap-devel",
    "--zap-encoder=console",
    "--zap-encoder=json",
    "--workqueue-ratelimiter-max-delay=1m",
    "--pprof-bind-address=:6060",
    "--feature-gates=LoadSparkDefaults=true",
  ]);
  expect(read).toEqual({ ...DEFAULTS, featureGates: new Set(["LoadSparkDefaults"]) });
  expect(ignored).toEqual([
    { flag: "--zap-devel", reason: "the log is JSON here" },
    { flag: "--zap-encoder", reason: "the log is JSON here" },
    { flag: "--workqueue-ratelimiter-max-delay", reason: "this operator has no common rate limit for its keys" },
    { flag: "--pprof-bind-address", reason: "this is no Go program" },
    { flag: "--feature-gates=LoadSparkDefaults", reason: "the operator has no spark-defaults.conf" },
  ]);
});

test.each([
  [["--controller-threads=ten"], '--controller-threads has to be a whole number, and is "ten"'],
  [["--controller-threads=1.5"], '--controller-threads has to be a whole number, and is "1.5"'],
  [["--controller-threads=-1"], '--controller-threads has to be a whole number that is not negative, and is "-1"'],
  [["--submissions=0"], "--submissions has to be at least 1, and is 0"],
  [["--kube-api-qps="], '--kube-api-qps has to be a number, and is ""'],
  [["--leader-election=maybe"], '--leader-election has to be true or false, and is "maybe"'],
  [["--secure-metrics=maybe"], '--secure-metrics has to be true or false, and is "maybe"'],
  [["--cache-sync-timeout=30"], '--cache-sync-timeout has to be a duration such as 30s or 1h30m, and is "30"'],
  [
    ["--cache-sync-timeout=-1s"],
    '--cache-sync-timeout has to be a duration such as 30s or 1h30m, not a negative one, and is "-1s"',
  ],
  [["--cache-sync-timeout=x", "--cache-sync-timeout=1s"], "--cache-sync-timeout has to be a duration"],
  [["--namespaces=a,B"], '--namespaces names "B", which is no name of a namespace'],
  [['--namespaces="a'], '--namespaces has to be names with commas between them, and is "\\"a"'],
  [["--metrics-bind-address=8080"], "--metrics-bind-address has to be an address such as :8081"],
  [["--health-probe-bind-address=:65536"], "--health-probe-bind-address has to be an address such as :8081"],
  [
    ["--metrics-job-start-latency-buckets=1,x"],
    '--metrics-job-start-latency-buckets has to be numbers with commas between them, and is "1,x"',
  ],
  [["--metrics-job-start-latency-buckets="], "--metrics-job-start-latency-buckets has to be numbers"],
  [
    ["--scheduled-spark-application-timestamp-precision=hours"],
    '--scheduled-spark-application-timestamp-precision has to be one of nanos, micros, millis, seconds, minutes, and is "hours"',
  ],
  [["--log-level=loud"], '--log-level has to be one of debug, info, warn, error, and is "loud"'],
  [["--zap-log-level=loud"], '--zap-log-level has to be one of debug, info, error, panic or a number, and is "loud"'],
  [["--feature-gates=PartialRestart"], "--feature-gates has to be gates such as PartialRestart=true"],
  [["--feature-gates=Other=true"], '--feature-gates: there is no gate "Other"'],
  [["--ingress-tls={"], "--ingress-tls has to be JSON"],
  [["--ingress-tls={}"], '--ingress-tls has to be JSON such as [{"hosts":["*.example.com"],"secretName":"tls"}]'],
  [["--ingress-annotations=[]"], '--ingress-annotations has to be JSON such as {"name":"value"}'],
  [['--ingress-annotations={"a":1}'], '--ingress-annotations has to be JSON such as {"name":"value"}'],
  [
    ["--enable-batch-scheduler", "--kube-scheduler-names=one", "--default-batch-scheduler=two"],
    '--default-batch-scheduler has to be one of volcano, yunikorn, one, and is "two"',
  ],
  [["--leader-election", "--leader-election-lock-name="], "--leader-election-lock-name has to be a name, and is empty"],
  [
    ["--leader-election", "--leader-election-lease-duration=10s"],
    "--leader-election-lease-duration has to be longer than --leader-election-renew-deadline",
  ],
  [
    ["--leader-election", "--leader-election-retry-period=9s"],
    "--leader-election-renew-deadline has to be longer than 1.2 times --leader-election-retry-period",
  ],
  [["--leader-election", "--leader-election-retry-period=0"], "--leader-election-retry-period has to be more than 0"],
])("%j is refused", (words, message) => {
  expect(() => parseFlags(words)).toThrow(
    expect.objectContaining({ code: "ARGUMENT_INVALID", message: expect.stringContaining(message) }),
  );
});

test("what was meant is told", () => {
  expect(() => parseFlags(["--leader-elect"])).toThrow(
    expect.objectContaining({ hint: "did you mean --leader-election?" }),
  );
  expect(() => parseFlags(["--feature-gates=PartialRestarts=true"])).toThrow(
    expect.objectContaining({ hint: "did you mean PartialRestart?" }),
  );
});

test("whatever is written, there are settings or an error that names the flag", () => {
  const value = fc.oneof(
    fc.string(),
    fc.constantFrom("", "0", "-1", "true", "1h", "a,b", "{}", "[]", "x=true", "1e400"),
  );
  fc.assert(
    fc.property(fc.constantFrom(...FLAGS.map(({ name }) => name)), value, (name, text) => {
      const error = errorOf(() => parseFlags([`--${name}=${text}`]));
      expect([undefined, "ARGUMENT_INVALID"]).toContain(error?.code);
      expect(error?.message ?? `--${name}`).toContain(`--${name}`);
    }),
    { numRuns: 500 },
  );
});

test("a gateway is a service or a URI, and none unless it is said", () => {
  const placeOf = (...words: string[]) => settings(...words).gateway;
  expect(placeOf()).toBeUndefined();
  expect(placeOf("--gateway=")).toBeUndefined();
  expect(placeOf("--gateway=kindling/kindling-gateway:9000")).toEqual({
    kind: "service",
    namespace: "kindling",
    name: "kindling-gateway",
    port: 9000,
  });
  expect(placeOf("--gateway=http://127.0.0.1:8081")).toMatchObject({ kind: "uri" });
  expect(() => placeOf("--gateway=kindling")).toThrow('--gateway "kindling" is neither a URI nor a service');
});

function errorOf(call: () => unknown): KindlingError | undefined {
  try {
    call();
    return undefined;
  } catch (error) {
    if (isKindlingError(error)) return error;
    throw error;
  }
}
