import type { KubeObjectLike } from "@kindling/kube";
import { loadConfig as loadConnectConfig } from "@kindling/connect/server";
import { loadConfig as loadGatewayConfig } from "@kindling/gateway";
import { loadConfig as loadRecorderConfig } from "@kindling/recorder/server";
import { loadConfig as loadStagingConfig } from "@kindling/staging-server";
import { loadConfig as loadSubmissionConfig } from "@kindling/submission-server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EmbeddedCluster } from "../src/embedded.ts";
import { APP_VERSION, CHART, hasHelm, helm, WHERE_HELM_IS } from "../src/helm.ts";
import { find, type PodSpec, render, type Rendered, valueFlags, type Values } from "../src/render.ts";
import { KERBEROS, VARIANTS } from "../src/variants.ts";

describe.skipIf(!hasHelm)(`the chart, rendered${WHERE_HELM_IS}`, () => {
  let cluster: EmbeddedCluster;
  const rendered = new Map<string, readonly Rendered[]>();

  beforeAll(async () => {
    cluster = await EmbeddedCluster.start();
    for (const [name, values] of Object.entries(VARIANTS)) rendered.set(name, await render(values));
    // Dozens of runs of helm, on machines that may be busy.
  }, 240_000);
  afterAll(async () => {
    await cluster.stop();
  });

  test.concurrent.each(Object.keys(VARIANTS))("%s is what an API server takes, to the last field", async (name) => {
    const objects = rendered.get(name) ?? [];
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
  });

  test.each(Object.keys(VARIANTS))("%s gives services settings that they take", (name) => {
    const objects = rendered.get(name) ?? [];
    for (const [service, loadConfig] of Object.entries(SERVICES)) {
      if (!objects.some(({ kind, metadata }) => kind === "ConfigMap" && metadata.name === `kindling-${service}`))
        continue;
      const { data = {} } = find(objects, "ConfigMap", `kindling-${service}`);
      const readFile = (): string => data[`${service}.properties`] ?? "";
      expect(() => loadConfig({ args: ["--config", "/settings"], env: {}, readFile })).not.toThrow();
    }
  });

  test.each(Object.keys(VARIANTS))("%s has pods that may run where PodSecurity is restricted", (name) => {
    const pods = podsOf(rendered.get(name) ?? []);
    expect(pods.length).toBeGreaterThan(1);
    for (const pod of pods) {
      expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } });
      expect(pod).not.toHaveProperty("hostNetwork");
      const fields = pod.volumes.flatMap((volume) => Object.keys(volume));
      expect(fields.filter((field) => !VOLUME_FIELDS.has(field))).toEqual([]);
      for (const container of pod.containers) {
        expect(container["securityContext"]).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        });
        expect(container["resources"]).toMatchObject({ requests: { memory: expect.any(String) } });
      }
    }
  });

  test("on OpenShift, user and groups of pods are left to it", async () => {
    const isOpenShift = ["--api-versions", "security.openshift.io/v1"];
    for (const objects of [await render({}, isOpenShift), await render({ openshift: true })]) {
      const contexts = podsOf(objects).map(({ securityContext }) => securityContext);
      expect(contexts.length).toBeGreaterThan(1);
      for (const context of contexts) {
        expect(Object.keys(context)).toEqual(["runAsNonRoot", "fsGroupChangePolicy", "seccompProfile"]);
      }
    }
    const [pod] = podsOf(await render({ openshift: false }, isOpenShift));
    expect(pod?.securityContext).toMatchObject({ runAsUser: 65532, fsGroup: 65532 });
  });

  test.each(["with default values", "with all that pods may have"])("%s passes helm lint", async (name) => {
    const flags = ["--strict", ...valueFlags(VARIANTS[name] ?? {})];
    await expect(helm(["lint", CHART, ...flags])).resolves.toContain("0 chart(s) failed");
  });

  test("settings arrive as they were written", async () => {
    const settings = {
      "store.path": "C:\\files\\new",
      "limits.uploads": 1_000_000,
      "listen.trustedProxies": ["10.0.0.0/8", "fd00::/8"],
    };
    const { data = {} } = find(await render({ "staging.settings": settings }), "ConfigMap", "kindling-staging");
    const readFile = (): string => data["staging.properties"] ?? "";
    const config = loadStagingConfig({ args: ["--config", "/settings"], env: {}, readFile });
    expect(config["store.path"]).toBe("C:\\files\\new");
    expect(config["limits.uploads"]).toBe(1_000_000);
    expect(data["staging.properties"]).toContain("listen.trustedProxies=10.0.0.0/8,fd00::/8\n");
  });

  test("a setting that is false or 0 is not taken for none", async () => {
    const settings = { "leader.election": false, "listen.port": 0 };
    const { data = {} } = find(await render({ "gateway.settings": settings }), "ConfigMap", "kindling-gateway");
    expect(data["gateway.properties"]?.split("\n")).toEqual(
      expect.arrayContaining(["leader.election=false", "listen.port=0"]),
    );
  });

  test("submissions of the service begin with what all know, and with more", async () => {
    const values = { "submission.enabled": true, "submission.defaults": { "spark.executor.memory": "2g" } };
    const { data = {} } = find(await render(values), "ConfigMap", "kindling-submission");
    expect(data["defaults.properties"]?.trim().split("\n")).toEqual([
      "spark.executor.memory=2g",
      `spark.kindling.localizer.image=docker.io/kindling/localizer:${APP_VERSION}`,
      "spark.kindling.localizer.imagePullPolicy=IfNotPresent",
      "spark.kindling.scheduler=gateway",
      "spark.kindling.scheduler.uri=https://kindling-gateway.spark-system.svc:8443",
    ]);
  });

  test("where the gateway renews delegation tokens, submissions name it as their renewer", async () => {
    const { data = {} } = find(await render(KERBEROS), "ConfigMap", "kindling");
    expect(data["kindling.properties"]).toContain("spark.kindling.kerberos.renewer=kindling\n");
    const own = { ...KERBEROS, properties: { "spark.kindling.kerberos.renewer": "mapped" } };
    const { data: other = {} } = find(await render(own), "ConfigMap", "kindling");
    expect(other["kindling.properties"]).toContain("spark.kindling.kerberos.renewer=mapped\n");
  });

  test("pods are made anew when settings change, and only then", async () => {
    const annotations = async (values = {}): Promise<unknown> =>
      find(await render(values), "Deployment", "kindling-gateway").spec?.template?.metadata.annotations;
    const before = await annotations();
    expect(await annotations()).toEqual(before);
    expect(await annotations({ queues: [{ name: "default" }] }), "queues.file is said").not.toEqual(before);
    expect(await annotations({ "gateway.settings": { "log.level": "debug" } })).not.toEqual(before);
    const one = await annotations({ queues: [{ name: "default" }] });
    expect(await annotations({ queues: [{ name: "other" }] }), "the gateway reads queues again").toEqual(one);
  });

  test("the gateway's admin port is open to those who have to reach it, and to no pod of an application", async () => {
    const from = async (values = {}): Promise<unknown> => {
      const policy = find(await render(values), "NetworkPolicy", "kindling-gateway");
      const { ingress } = policy.spec as unknown as { readonly ingress: readonly Rule[] };
      return ingress.find(({ ports }) => ports.some(({ port }) => port === "admin"))?.from;
    };
    const own = { podSelector: { matchExpressions: [{ key: "spark-role", operator: "DoesNotExist" }] } };
    const konnectivity = {
      namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "kube-system" } },
      podSelector: { matchLabels: { "k8s-app": "konnectivity-agent" } },
    };
    expect(await from()).toEqual([own, konnectivity]);
    const apiServer = [{ ipBlock: { cidr: "10.0.0.0/28" } }];
    const monitoring = [{ namespaceSelector: { matchLabels: { team: "ops" } } }];
    const said = { "networkPolicy.apiServer": apiServer, "networkPolicy.monitoring": monitoring };
    expect(await from(said)).toEqual([own, ...apiServer, ...monitoring]);
  });

  test("the page for people who sign in has a port, its settings and its client's secret", async () => {
    const from = [{ namespaceSelector: { matchLabels: { team: "ingress" } } }];
    const objects = await render({
      "gateway.page": { url: "https://spark.example.org", clientSecret: "kindling-page", from },
      "gateway.settings": { "oidc.issuerUrl": "https://sso.example.org", "oidc.clientId": "kindling" },
    });
    const { data = {} } = find(objects, "ConfigMap", "kindling-gateway");
    const readFile = (): string => data["gateway.properties"] ?? "";
    expect(loadGatewayConfig({ args: ["--config", "/settings"], env: {}, readFile })).toMatchObject({
      "page.port": 8090,
      "page.url": "https://spark.example.org",
      "page.clientSecretFile": "/etc/kindling/page/client-secret",
    });
    const pod = find(objects, "Deployment", "kindling-gateway").spec?.template?.spec;
    expect(pod?.volumes).toContainEqual({ name: "page", secret: { secretName: "kindling-page" } });
    expect(pod?.containers[0]?.ports).toContainEqual({ name: "page", containerPort: 8090 });
    expect(JSON.stringify(find(objects, "Service", "kindling-gateway"))).toContain('"name":"page","port":8090');
    const { ingress } = find(objects, "NetworkPolicy", "kindling-gateway").spec as unknown as { ingress: Rule[] };
    expect(ingress.find(({ ports }) => ports.some(({ port }) => port === "page"))?.from).toEqual(from);
    expect(JSON.stringify(await render())).not.toContain('"page"');
  });

  test("a gateway beside a recorder asks it, with a token that only the recorder takes", async () => {
    const objects = await render({
      "recorder.enabled": true,
      "recorder.settings": { "auth.audiences": "archive" },
      "networkPolicy.apiServer": [{ ipBlock: { cidr: "10.0.0.0/28" } }],
    });
    const { data = {} } = find(objects, "ConfigMap", "kindling-gateway");
    const readFile = (): string => data["gateway.properties"] ?? "";
    const { namespace } = find(objects, "Service", "kindling-recorder").metadata;
    expect(loadGatewayConfig({ args: ["--config", "/settings"], env: {}, readFile })).toMatchObject({
      "recorder.uri": `https://kindling-recorder.${namespace}.svc:8080`,
      "recorder.tokenFile": "/etc/kindling/recorder/token",
      "recorder.caFile": "/etc/kindling/recorder/ca.crt",
    });
    const pod = find(objects, "Deployment", "kindling-gateway").spec?.template?.spec;
    const volume = JSON.stringify(pod?.volumes.find(({ name }) => name === "recorder"));
    expect(volume).toContain('"audience":"archive"');
    expect(volume).toContain('"name":"kindling-recorder-tls"');
    expect(volume).not.toContain("tls.key");
    const { ingress } = find(objects, "NetworkPolicy", "kindling-recorder").spec as unknown as { ingress: Rule[] };
    expect(JSON.stringify(ingress.find(({ ports }) => ports.some(({ port }) => port === "https")))).toContain(
      "kindling-gateway",
    );
    const { data: alone = {} } = find(await render(), "ConfigMap", "kindling-gateway");
    expect(alone["gateway.properties"]).not.toContain("recorder.");
  });

  test("a recorder inside of the gateway has its files, its ports and its place behind the same Service", async () => {
    const objects = await render(VARIANTS["with a recorder inside of the gateway"]);
    expect(
      objects.filter(({ metadata }) => metadata.name === "kindling-recorder").map(({ kind }) => kind),
    ).not.toContain("Deployment");
    const settingsOf = (service: "gateway" | "recorder"): Readonly<Record<string, unknown>> => {
      const { data = {} } = find(objects, "ConfigMap", `kindling-${service}`);
      const readFile = (): string => data[`${service}.properties`] ?? "";
      return { ...SERVICES[service]({ args: ["--config", "/settings"], env: {}, readFile }) };
    };
    const [gateway, recorder] = [settingsOf("gateway"), settingsOf("recorder")];
    const pod = find(objects, "Deployment", "kindling-gateway").spec?.template?.spec;
    const mounts = pod?.containers[0]?.["volumeMounts"] as readonly { readonly mountPath: string }[];
    const isMounted = (path: unknown): boolean =>
      mounts.some(({ mountPath }) => String(path).startsWith(`${mountPath}/`));
    const files = ["tls.certFile", "tls.keyFile", "store.s3.credentialsFile", "spool.path"];
    for (const path of [
      gateway["recorder.settingsFile"],
      "/etc/corporate/ca.pem",
      ...files.map((key) => recorder[key]),
    ])
      expect(isMounted(path), String(path)).toBe(true);
    const ports = [gateway, recorder].flatMap((settings) => [settings["listen.port"], settings["admin.port"]]);
    expect(new Set(ports).size).toBe(4);
    const named = pod?.containers[0]?.["ports"] as readonly { readonly name: string; readonly containerPort: number }[];
    const { selector, ports: served } = find(objects, "Service", "kindling-recorder").spec as unknown as {
      readonly selector: Readonly<Record<string, string>>;
      readonly ports: readonly { readonly targetPort: string }[];
    };
    expect(selector["app.kubernetes.io/name"]).toBe("kindling-gateway");
    const behind = served.map(({ targetPort }) => named.find(({ name }) => name === targetPort)?.containerPort);
    expect(behind).toEqual([recorder["listen.port"], recorder["admin.port"]]);
    const policy = find(objects, "NetworkPolicy", "kindling-recorder").spec as unknown as { ingress: Rule[] };
    expect(policy.ingress.flatMap((rule) => rule.ports.map(({ port }) => port))).toEqual([
      "recorder",
      "recorder-admin",
    ]);
  });

  test("the heap of the gateway leaves room in its container, unless the values say how large it is", async () => {
    const heap = async (values: Values): Promise<unknown> => {
      const pod = find(await render(values), "Deployment", "kindling-gateway").spec?.template?.spec;
      return pod?.containers[0]?.["env"];
    };
    const limited = (memory: string): Values => ({ "gateway.resources": { limits: { memory } } });
    const sized = (heapMiB: number, semiSpaceMiB: number): unknown => [
      { name: "NODE_OPTIONS", value: `--max-old-space-size=${heapMiB} --max-semi-space-size=${semiSpaceMiB}` },
      { name: "MALLOC_ARENA_MAX", value: "2" },
      { name: "MALLOC_MMAP_THRESHOLD_", value: "8192" },
    ];
    expect(await heap({})).toEqual(sized(638, 16));
    expect(await heap(limited("256Mi"))).toEqual(sized(102, 7));
    expect(await heap({ "gateway.resources": null })).toBeUndefined();
    const own = [{ name: "NODE_OPTIONS", value: "--max-old-space-size=100" }];
    expect(await heap({ ...limited("256Mi"), "gateway.env": own })).toEqual(own);
  });

  test("updates do not wait for a second gateway that is ready", async () => {
    const strategy = async (replicas: number): Promise<unknown> =>
      find(await render({ "gateway.replicas": replicas }), "Deployment", "kindling-gateway").spec?.strategy;
    expect(await strategy(1)).toEqual({ type: "Recreate" });
    expect(await strategy(2)).toEqual({
      type: "RollingUpdate",
      rollingUpdate: { maxUnavailable: "100%", maxSurge: 0 },
    });
  });

  test("what submissions find lies in the installation's namespace and in those of applications", async () => {
    const objects = await render({ namespaces: ["etl"], properties: { "spark.kindling.scheduler.queue": "daily" } });
    const properties = [
      `spark.kindling.localizer.image=docker.io/kindling/localizer:${APP_VERSION}`,
      "spark.kindling.localizer.imagePullPolicy=IfNotPresent",
      "spark.kindling.scheduler=gateway",
      "spark.kindling.scheduler.queue=daily",
      "spark.kindling.scheduler.uri=https://kindling-gateway.spark-system.svc:8443",
      "spark.kindling.staging.internalUri=https://kindling-staging.spark-system.svc:10000",
      "spark.kindling.staging.uri=k8s+https://spark-system/kindling-staging:10000",
    ];
    for (const namespace of ["spark-system", "etl"]) {
      const { data, metadata } = find(objects, "ConfigMap", "kindling", namespace);
      expect(metadata.labels["app.kubernetes.io/part-of"]).toBe("kindling");
      expect(data?.["version"]).toBe(APP_VERSION);
      expect(data?.["kindling.properties"]?.trim().split("\n")).toEqual(properties);
      expect(data?.["ca.crt"]).toMatch(/^-----BEGIN CERTIFICATE-----\n/);
    }
  });
});

const VOLUME_FIELDS = new Set(["name", "configMap", "emptyDir", "persistentVolumeClaim", "projected", "secret"]);

const SERVICES = {
  staging: loadStagingConfig,
  gateway: loadGatewayConfig,
  submission: loadSubmissionConfig,
  connect: loadConnectConfig,
  recorder: loadRecorderConfig,
};

/** The specs of all pods, including the test's own. */
function podsOf(objects: readonly Rendered[]): PodSpec[] {
  return objects.map(({ spec }) => spec?.template?.spec ?? spec).filter(isPodSpec);
}

function isPodSpec(spec: object | undefined): spec is PodSpec {
  return spec !== undefined && "containers" in spec;
}

interface Rule {
  readonly ports: readonly { readonly port: string }[];
  readonly from?: unknown;
}
