import { describe, expect, test } from "vitest";
import { parseFlags } from "../../src/flags/parse-flags.ts";

test("without flags all is as stock's operator has it", () => {
  const { settings, ignored } = parseFlags([]);
  expect(ignored).toEqual([]);
  expect(settings).toMatchObject({
    namespaces: [],
    controllerThreads: 10,
    maxTrackedExecutorPerApp: 1000,
    driverPodCreationGracePeriodMs: 10_000,
    ui: { enableService: true, ingressUrlFormat: undefined },
    leaderElection: undefined,
    metrics: undefined,
    healthProbeBindAddress: ":8081",
    timestampPrecision: "nanos",
    kubeApi: { qps: undefined },
  });
});

test("the arguments of stock's chart are understood, and what has no effect is told", () => {
  const { settings, ignored } = parseFlags([
    "--zap-encoder=console",
    "--zap-log-level=info",
    '--namespaces="default",spark',
    "--controller-threads=10",
    "--enable-ui-service=true",
    "--enable-metrics=true",
    "--metrics-bind-address=:8080",
    "--metrics-endpoint=/metrics",
    "--metrics-prefix=",
    "--metrics-labels=app_type",
    "--metrics-job-start-latency-buckets=30,60",
    "--leader-election=true",
    "--leader-election-lock-name=spark-operator-controller-lock",
    "--leader-election-lock-namespace=spark-operator",
    "--workqueue-ratelimiter-bucket-qps=50",
    "--workqueue-ratelimiter-max-delay=6h",
    "--driver-pod-creation-grace-period=1m30s",
    "--max-tracked-executor-per-app=1000",
  ]);
  expect(settings).toMatchObject({
    metrics: { bindAddress: ":8080", endpoint: "/metrics", labels: ["app_type"], jobStartLatencyBuckets: [30, 60] },
    leaderElection: { name: "spark-operator-controller-lock", leaseDurationMs: 15_000, renewDeadlineMs: 10_000 },
    driverPodCreationGracePeriodMs: 90_000,
    logLevel: "info",
  });
  expect(ignored.map(({ flag }) => flag)).toEqual([
    "--zap-encoder",
    "--workqueue-ratelimiter-bucket-qps",
    "--workqueue-ratelimiter-max-delay",
  ]);
});

describe("namespaces", () => {
  test.each([
    [["--namespaces=a,b"], ["a", "b"], undefined],
    [["--namespaces=a", "--namespaces", "b"], ["a", "b"], undefined],
    [["--namespaces="], [], undefined],
    [['--namespaces=""'], [], undefined],
    [["--namespaces=a,", "--namespace-selector=x=y"], [], undefined],
    [["--namespaces=a", "--namespace-selector=x=y"], ["a"], "x=y"],
    [["--namespace-selector=x=y"], [], "x=y"],
  ])("%o serves %o and %o", (words, namespaces, namespaceSelector) => {
    expect(parseFlags(words).settings).toMatchObject({ namespaces, namespaceSelector });
  });
});

test("feature gates are switched one by one, and together", () => {
  const gatesOf = (...words: string[]): string[] => [...parseFlags(words).settings.featureGates];
  expect(gatesOf("--feature-gates=PartialRestart=true,LoadSparkDefaults=false")).toEqual(["PartialRestart"]);
  expect(gatesOf("--feature-gates=AllAlpha=true", "--feature-gates=RestSubmitter=false")).not.toContain(
    "RestSubmitter",
  );
  const withTtl = ["--default-time-to-live-seconds=60", "--feature-gates=DefaultTimeToLive=true"];
  expect(parseFlags(withTtl).settings.defaultTimeToLiveSeconds).toBe(60);
  expect(parseFlags(withTtl.slice(0, 1)).settings.defaultTimeToLiveSeconds).toBe(0);
});
