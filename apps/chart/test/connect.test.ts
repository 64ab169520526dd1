import { parseProfiles } from "@kindling/connect";
import { loadConfig } from "@kindling/connect/server";
import { describe, expect, test } from "vitest";
import { hasHelm, WHERE_HELM_IS } from "../src/helm.ts";
import { find, NAMESPACE, type PodSpec, render, type Rendered, type Values } from "../src/render.ts";
import { CONNECT } from "../src/variants.ts";

describe.skipIf(!hasHelm)(`Spark Connect in the chart${WHERE_HELM_IS}`, () => {
  test("profiles arrive as the service reads them, with all their fields", async () => {
    const { data = {} } = find(await render(CONNECT), "ConfigMap", "kindling-connect-profiles");
    const { profiles, faults } = parseProfiles(data["profiles.yaml"] ?? "", "profiles.yaml");
    expect(faults).toEqual([]);
    expect(profiles.map(({ name, namespace }) => `${namespace}/${name}`)).toEqual([
      "adhoc/fixed",
      "adhoc/other",
      "etl/small",
    ]);
    expect(profiles[2]).toMatchObject({
      ...{ sharing: "session", queue: "default", queues: ["etl.daily"], idleSeconds: 1200, ttlSeconds: 43_200 },
      ...{ startSeconds: 300, warm: 1, driversPerUser: 2, access: { users: ["jane"], groups: ["data"] } },
      engine: { conf: { "spark.sql.shuffle.partitions": "8", "spark.sql.ansi.enabled": "false" } },
    });
    expect(profiles[1]?.engine).toMatchObject({ kind: "container", port: 50_051, cpu: "500m", memory: "2Gi" });
  });

  test("large numbers in a profile's configuration stay what they are", async () => {
    const conf = { "spark.sql.files.maxPartitionBytes": 134_217_728, "spark.some.rows": 100_000_000_000 };
    const values = { ...CONNECT, "connect.profiles": { small: { namespace: "etl", image: "spark:4", conf } } };
    const { data = {} } = find(await render(values), "ConfigMap", "kindling-connect-profiles");
    const { profiles } = parseProfiles(data["profiles.yaml"] ?? "", "profiles.yaml");
    expect(profiles[0]?.engine).toMatchObject({
      conf: { "spark.sql.files.maxPartitionBytes": "134217728", "spark.some.rows": "100000000000" },
    });
  });

  test("every file that the settings name is mounted", async () => {
    const objects = await render(CONNECT);
    const { data = {} } = find(objects, "ConfigMap", "kindling-connect");
    const config = loadConfig({
      args: ["--config", "/settings"],
      env: {},
      readFile: () => data["connect.properties"] ?? "",
    });
    const { volumeMounts } = podOf(objects).containers[0] as unknown as { volumeMounts: { mountPath: string }[] };
    const files = ["tls.certFile", "tls.keyFile", "profiles.file", "drivers.keyFile", "drivers.defaultsFile"] as const;
    for (const path of files.map((key) => config[key]))
      expect(
        volumeMounts.some(({ mountPath }) => path?.startsWith(`${mountPath}/`)),
        path,
      ).toBe(true);
    expect(config["auth.modes"]).toEqual(["kubernetes"]);
    expect(config["cluster.namespaces"]).toEqual(["etl", "adhoc"]);
  });

  test("a profile is changed without a restart, and settings and another key are not", async () => {
    const annotations = async (more: Values): Promise<unknown> => {
      const values = { ...CONNECT, "connect.driversKeySecret": "our-key", ...more };
      const { template } = find(await render(values), "Deployment", "kindling-connect").spec ?? {};
      return template?.metadata.annotations;
    };
    const before = await annotations({});
    expect(await annotations({ "connect.profiles": { small: { namespace: "etl", image: "spark:4.1" } } })).toEqual(
      before,
    );
    expect(await annotations({ "connect.defaults": { "spark.ui.enabled": false } })).not.toEqual(before);
    expect(await annotations({ "connect.driversKeySecret": "next-key" })).not.toEqual(before);
  });

  test("an own key is mounted, and no other one is made", async () => {
    const objects = await render({ ...CONNECT, "connect.driversKeySecret": "our-key" });
    expect(podOf(objects).volumes.find(({ name }) => name === "drivers")).toMatchObject({
      secret: { secretName: "our-key", items: [{ key: "key", path: "key" }] },
    });
    const secrets = objects.filter(({ kind }) => kind === "Secret").map(({ metadata }) => metadata.name);
    expect(secrets).not.toContain("kindling-connect-drivers");
  });

  test("one process runs at a time", async () => {
    const { replicas, strategy } = find(await render(CONNECT), "Deployment", "kindling-connect").spec ?? {};
    expect([replicas, strategy]).toEqual([1, { type: "Recreate" }]);
  });

  test("clients reach it at 443 and at Spark's own port, as TLS, and a load balancer has no port for metrics", async () => {
    const objects = await render({
      ...CONNECT,
      "connect.service": { type: "LoadBalancer", annotations: { "example.com/internal": "true" } },
    });
    const { metadata, spec } = find(objects, "Service", "kindling-connect");
    expect(metadata.annotations).toEqual({ "example.com/internal": "true" });
    expect(spec).toMatchObject({ type: "LoadBalancer" });
    const ports = spec?.["ports"] as readonly Readonly<Record<string, unknown>>[];
    expect(ports.map(({ port, targetPort, appProtocol }) => [port, targetPort, appProtocol])).toEqual([
      [443, "https", "https"],
      [15_002, "https", "https"],
    ]);
    expect(find(objects, "Service", "kindling-connect-admin").spec).toMatchObject({ ports: [{ port: 8081 }] });
  });

  test.each<[string, Values, string | undefined]>([
    ["its service's name, where it is reached in the cluster alone", {}, `sc://kindling-connect.${NAMESPACE}.svc:443/`],
    ["nothing, where only the service has its address", { "connect.service.type": "LoadBalancer" }, undefined],
    ["a name", { "connect.address": "spark.example.com" }, "sc://spark.example.com:443/"],
    [
      "a name with a port",
      { "connect.address": "spark.example.com:30443", "connect.service.type": "NodePort" },
      "sc://spark.example.com:30443/",
    ],
    ["an IPv6 address", { "connect.address": "[2001:db8::7]" }, "sc://[2001:db8::7]:443/"],
    ["the administrator's own", { properties: { "spark.kindling.connect.uri": "sc://mine/" } }, "sc://mine/"],
  ])("clients find %s in the installation", async (_, values, uri) => {
    const entries = await publishedBy({ ...CONNECT, ...values });
    expect(entries.get("spark.kindling.connect.uri")?.replace(";use_ssl=true", "")).toBe(uri);
    expect(entries.get("spark.kindling.connect.audience")).toBeUndefined();
  });

  test("the address that is published is that of a service, and of a port that it has", async () => {
    const uri = (await publishedBy(CONNECT)).get("spark.kindling.connect.uri") ?? "";
    const [, name = "", namespace, port] = /^sc:\/\/([^.]+)\.([^.]+)\.svc:(\d+)\/;use_ssl=true$/.exec(uri) ?? [];
    const { metadata, spec } = find(await render(CONNECT), "Service", name);
    expect(metadata.namespace).toBe(namespace);
    expect(spec?.["ports"]).toContainEqual(expect.objectContaining({ port: Number(port) }));
  });

  test("an audience of one's own is published, and nothing without the service", async () => {
    const values = { ...CONNECT, "connect.settings": { "auth.audiences": ["notebooks", "kindling-connect"] } };
    expect((await publishedBy(values)).get("spark.kindling.connect.audience")).toBe("notebooks");
    const without = [...(await publishedBy({ "connect.address": "spark.example.com" })).keys()];
    expect(without.filter((key) => key.startsWith("spark.kindling.connect"))).toEqual([]);
  });

  test.each([
    ["spark.example.com:8443", "dnsNames", "spark.example.com"],
    ["192.0.2.7", "ipAddresses", "192.0.2.7"],
    ["[2001:db8::7]:443", "ipAddresses", "2001:db8::7"],
  ])("its certificate is for %s, and those of other services are not", async (address, kind, name) => {
    const objects = await render({ ...CONNECT, "tls.mode": "cert-manager", "connect.address": address });
    expect(find(objects, "Certificate", "kindling-connect").spec?.[kind]).toContain(name);
    expect(find(objects, "Certificate", "kindling-staging").spec?.[kind]).not.toContain(name);
  });

  test.each(["https://spark.example.com", "spark.example.com/path", "spark example", "-a"])(
    "%s is refused as an address",
    async (address) => {
      await expect(render({ ...CONNECT, "connect.address": address })).rejects.toThrow(/address/);
    },
  );

  test("nothing of it is made unless it is wanted", async () => {
    const names = (await render()).map(({ metadata }) => metadata.name);
    expect(names.filter((name) => name.includes("connect"))).toEqual([]);
  });
});

/** The configuration that clients find, by key. */
async function publishedBy(values: Values): Promise<ReadonlyMap<string, string>> {
  const { data = {} } = find(await render(values), "ConfigMap", "kindling");
  const lines = (data["kindling.properties"] ?? "").trim().split("\n");
  return new Map(lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]));
}

function podOf(objects: readonly Rendered[]): PodSpec {
  const pod = find(objects, "Deployment", "kindling-connect").spec?.template?.spec;
  if (pod === undefined) throw new Error("it has no pod");
  return pod;
}
