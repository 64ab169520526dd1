import type { KubeObjectLike } from "@kindling/kube";
import { mkdtemp, cp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EmbeddedCluster } from "../src/embedded.ts";
import { APP_VERSION, CHART, hasHelm, helm, OPERATOR_CHART, WHERE_HELM_IS } from "../src/helm.ts";
import { type Identity, KUBEFLOW_CHART, OPERATOR_VARIANTS, renderOperator } from "../src/operator.ts";
import { find, NAMESPACE, type PodSpec, renderChart, type Rendered, valueFlags, type Values } from "../src/render.ts";

describe.skipIf(!hasHelm)(`the operator's chart, rendered${WHERE_HELM_IS}`, () => {
  let cluster: EmbeddedCluster;

  beforeAll(async () => {
    cluster = await EmbeddedCluster.start();
  });
  afterAll(async () => {
    await cluster.stop();
  });

  test.concurrent.each(Object.entries(OPERATOR_VARIANTS))(
    "%s is what an API server takes, to the last field",
    async (_name, values) => {
      const objects = await renderOperator(values);
      const refused: string[] = [];
      for (const object of objects) {
        const type = await cluster.client.resourceFor(object.apiVersion, object.kind);
        const options = { dryRun: true, fieldValidation: "Strict", namespace: object.metadata.namespace } as const;
        await cluster.client
          .create(type, object as unknown as KubeObjectLike, options)
          .catch((error: unknown) => refused.push(`${object.kind} ${object.metadata.name}: ${String(error)}`));
      }
      expect(refused).toEqual([]);
      const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ""}/${metadata.name}`);
      expect(new Set(names).size, "each object once").toBe(names.length);
    },
  );

  test.concurrent.each(["with kubeflow's default values", "with all features"])("%s passes helm lint", async (name) => {
    const flags = ["--strict", "--kube-version", "1.31.0", ...valueFlags(OPERATOR_VARIANTS[name] ?? {})];
    await expect(helm(["lint", OPERATOR_CHART, ...flags])).resolves.toContain("0 chart(s) failed");
  });

  test.concurrent.each(KUBEFLOW_CHART.installations)(
    "$name, release $release: each object of kubeflow's is replaced in place",
    async ({ values, release, objects }) => {
      const ours = (await renderOperator(values, release)).map(identityOf);
      for (const theirs of objects) expect(ours).toContainEqual(theirs);
    },
  );

  test.concurrent.each<[string, Values, unknown]>([
    ["metrics alone", {}, [{ ports: [{ port: 8080 }] }]],
    [
      "metrics alone, by those who are named",
      { "prometheus.metrics.port": 9090, "networkPolicy.monitoring": [{ podSelector: {} }] },
      [{ ports: [{ port: 9090 }], from: [{ podSelector: {} }] }],
    ],
    ["nothing, without metrics", { "prometheus.metrics.enable": false }, []],
    [
      "what is named besides",
      { "prometheus.metrics.enable": false, "networkPolicy.ingress": [{ ports: [{ port: 9000 }] }] },
      [{ ports: [{ port: 9000 }] }],
    ],
  ])("the operator is reached for %s", async (_what, values, ingress) => {
    const objects = await renderOperator(values);
    const { spec } = find(objects, "NetworkPolicy", "spark-operator-controller");
    expect(spec).toMatchObject({ policyTypes: ["Ingress"], ingress });
    const labels = find(objects, "Deployment", "spark-operator-controller").spec?.template?.metadata.labels;
    expect(spec).toMatchObject({ podSelector: { matchLabels: labels } });
  });

  test("an upgrade that reuses the values of kubeflow's release runs our image", async () => {
    // With `--reuse-values` Helm uses the defaults of the present release instead of the new chart's.
    const chart = await mkdtemp(join(tmpdir(), "kindling-operator-chart-"));
    try {
      await cp(OPERATOR_CHART, chart, { recursive: true });
      await writeFile(join(chart, "values.yaml"), stringify(KUBEFLOW_CHART.values));
      const objects = await renderChart(chart, "spark-operator", ["--kube-version", "1.31.0"]);
      expect(containerOf(objects)["image"]).toBe(`docker.io/kindling/operator:${APP_VERSION}`);
      // A policy could close ports that sidecars of that release serve.
      expect(objects.map(({ kind }) => kind)).not.toContain("NetworkPolicy");
    } finally {
      await rm(chart, { recursive: true });
    }
  });

  test.concurrent.each<[string, Values, string]>([
    ["as they are", {}, `docker.io/kindling/operator:${APP_VERSION}`],
    ["with a mirror", { "image.registry": "mirror.example" }, `mirror.example/kindling/operator:${APP_VERSION}`],
    ["with a tag", { "image.tag": "local" }, "docker.io/kindling/operator:local"],
    ["with a tag that is a number", { "image.tag": 7 }, "docker.io/kindling/operator:7"],
    ["without a registry", { "image.registry": "" }, `kindling/operator:${APP_VERSION}`],
    ["with kubeflow's tag", { "image.tag": "v2.5.2" }, `docker.io/kindling/operator:${APP_VERSION}`],
    [
      "with kubeflow's image",
      { image: { registry: "ghcr.io", repository: "kubeflow/spark-operator/controller", tag: "2.5.2" } },
      `docker.io/kindling/operator:${APP_VERSION}`,
    ],
    [
      "with kubeflow's image of a mirror",
      { image: { registry: "mirror.example", repository: "kubeflow/spark-operator/controller" } },
      `mirror.example/kindling/operator:${APP_VERSION}`,
    ],
    [
      "with the registry in kubeflow's repository",
      { image: { repository: "ghcr.io/kubeflow/spark-operator", tag: "v2.4.0" } },
      `docker.io/kindling/operator:${APP_VERSION}`,
    ],
    [
      "of chart 1",
      { image: { repository: "ghcr.io/googlecloudplatform/spark-operator", tag: "v1beta2-1.3.8-3.1.1" } },
      `docker.io/kindling/operator:${APP_VERSION}`,
    ],
    [
      "with a mirror in kubeflow's repository",
      { image: { repository: "mirror.example:5000/kubeflow/spark-operator/controller", tag: "2.5.2" } },
      `mirror.example:5000/kindling/operator:${APP_VERSION}`,
    ],
    [
      "with a registry in the repository",
      { image: { repository: "mirror.example/kindling/operator" } },
      `mirror.example/kindling/operator:${APP_VERSION}`,
    ],
    [
      "with a copy of ours that is called like kubeflow's",
      { image: { registry: "registry.example", repository: "team/spark-operator", tag: "kindling-7" } },
      "registry.example/team/spark-operator:kindling-7",
    ],
    [
      "with an image of one's own",
      { image: { registry: "registry.example", repository: "team/operator", tag: "2.5.2" } },
      "registry.example/team/operator:2.5.2",
    ],
  ])("values %s choose an image", async (_name, values, image) => {
    expect(containerOf(await renderOperator(values))["image"]).toBe(image);
  });

  test("flags are those of kubeflow's, without what only a Go program reads", async () => {
    expect(containerOf(await renderOperator())["args"]).toEqual([
      ...["controller", "start", "--zap-log-level=info", "--namespaces=default", "--controller-threads=10"],
      ...["--enable-ui-service=true", "--enable-metrics=true", "--metrics-bind-address=:8080"],
      ...["--metrics-endpoint=/metrics", "--metrics-prefix=", "--metrics-labels=app_type"],
      "--metrics-job-submit-latency-buckets=0.5,1,2,4,8,16,32,64,128,256",
      "--metrics-job-start-latency-buckets=30,60,90,120,150,180,210,240,270,300",
      "--leader-election=true",
      "--leader-election-lock-name=spark-operator-controller-lock",
      `--leader-election-lock-namespace=${NAMESPACE}`,
      ...["--leader-election-lease-duration=15s", "--leader-election-renew-deadline=10s"],
      ...["--leader-election-retry-period=2s", "--driver-pod-creation-grace-period=10s"],
      ...["--max-tracked-executor-per-app=1000", "--scheduled-spark-application-timestamp-precision=nanos"],
      "--feature-gates=PartialRestart=false,LoadSparkDefaults=false",
    ]);
  });

  test("values of features become flags", async () => {
    const values = OPERATOR_VARIANTS["with all features"];
    expect(
      containerOf(await renderOperator({ ...values, "controller.maxTrackedExecutorPerApp": 2_000_000 }))["args"],
    ).toEqual(
      expect.arrayContaining([
        "--ingress-url-format={{$appName}}.spark.example",
        "--ingress-class-name=nginx",
        '--ingress-tls=[{"hosts":["*.spark.example"],"secretName":"tls"}]',
        "--enable-batch-scheduler=true",
        "--kube-scheduler-names=gang",
        "--default-batch-scheduler=volcano",
        "--enable-driver-pdb=true",
        "--default-time-to-live-seconds=86400",
        "--enforce-resource-quota=true",
        "--max-tracked-executor-per-app=2000000",
        "--submissions=80",
        `--gateway=${NAMESPACE}/kindling-gateway`,
      ]),
    );
  });

  test.each<[readonly string[], string, readonly string[]]>([
    [["etl", "adhoc"], "", ["--namespaces=etl,adhoc"]],
    [["etl", ""], "spark=yes", []],
    [[], "", []],
    [["etl"], "spark in (yes,true)", ["--namespaces=etl", "--namespace-selector=spark in (yes,true)"]],
  ])("namespaces %j with the selector '%s' are said as %j", async (namespaces, selector, flags) => {
    const values = { "spark.jobNamespaces": namespaces, "spark.jobNamespaceSelector": selector };
    const { args } = containerOf(await renderOperator(values)) as { args: string[] };
    expect(args.filter((flag) => flag.startsWith("--namespace"))).toEqual(flags);
  });

  test("an admission policy is made for those who want it", async () => {
    const policies = async (values: Values): Promise<string[]> =>
      (await renderOperator(values)).map(({ kind }) => kind).filter((kind) => kind.startsWith("ValidatingAdmission"));
    expect(await policies({})).toEqual([]);
    const [policy, binding] = ["ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"];
    expect(await policies({ "admissionPolicy.enable": true })).toEqual([policy, policy, binding, binding]);
  });

  test("an admission policy is refused in words where Kubernetes is too old for it", async () => {
    const flags = ["--kube-version", "v1.29.15-eks-2d5f260", ...valueFlags({ "admissionPolicy.enable": true })];
    await expect(renderChart(OPERATOR_CHART, "spark-operator", flags)).rejects.toThrow(
      "admissionPolicy.enable needs Kubernetes 1.30, and this is v1.29.15: leave it false",
    );
  });

  test("an admission policy is for Kubernetes 1.30 as a distribution names it, too", async () => {
    const flags = ["--kube-version", "v1.30.2-gke.1394000", ...valueFlags({ "admissionPolicy.enable": true })];
    const kinds = (await renderChart(OPERATOR_CHART, "spark-operator", flags)).map(({ kind }) => kind);
    expect(kinds).toContain("ValidatingAdmissionPolicy");
  });

  // Helm takes what follows the numbers for a version before that one, and many a chart refuses it.
  test.each(["v1.28.9-eks-036c24b", "v1.30.2-gke.1394000", "v1.37.2+k3s1"])(
    "charts are for versions as distributions name them: %s",
    async (version) => {
      const flags = ["--kube-version", version];
      for (const chart of [CHART, OPERATOR_CHART]) {
        expect((await renderChart(chart, "kindling", flags)).length).toBeGreaterThan(5);
      }
    },
  );

  test("what pods may have is honoured", async () => {
    const values = OPERATOR_VARIANTS["with all that pods may have"] ?? {};
    const { labels: _labels, annotations: _annotations, ...pod } = values["controller"] as Record<string, unknown>;
    const objects = await renderOperator(values);
    const { template } = find(objects, "Deployment", "spark-operator-controller").spec ?? {};
    for (const field of ["volumes", "nodeSelector", "affinity", "tolerations", "priorityClassName", "hostUsers"])
      expect(template?.spec[field], field).toEqual(pod[field]);
    for (const field of ["env", "envFrom", "volumeMounts", "resources"])
      expect(containerOf(objects)[field], field).toEqual(pod[field]);
    expect(template?.spec.containers[1]).toEqual({ name: "proxy", image: "proxy:1" });
    expect(template?.metadata.labels["team"]).toBe("data");
    expect(template?.metadata.annotations?.["example.com/owner"]).toBe("data");
  });
});

function containerOf(objects: readonly Rendered[]): PodSpec["containers"][number] {
  const deployment = objects.find(({ kind }) => kind === "Deployment");
  return deployment?.spec?.template?.spec.containers[0] ?? {};
}

/** In the form of the recording of kubeflow's chart. */
function identityOf({ kind, metadata, spec, subjects, roleRef }: Rendered): Identity {
  const selector = spec?.["selector"] as { matchLabels: Identity["selector"] } | undefined;
  const [container] = spec?.template?.spec.containers ?? [];
  // In kubeflow's chart, Helm fills in the namespace of some objects.
  const namespace = kind === "Deployment" || kind === "PodDisruptionBudget" ? undefined : metadata.namespace;
  return JSON.parse(
    JSON.stringify({
      kind,
      name: metadata.name,
      namespace,
      selector: selector?.matchLabels,
      account: spec?.template?.spec["serviceAccountName"],
      ports: container?.["ports"],
      container: container?.["name"],
      subjects: subjects?.map((subject) => `${subject["namespace"]}/${subject["name"]}`),
      role: roleRef?.["name"],
    }),
  ) as Identity;
}
