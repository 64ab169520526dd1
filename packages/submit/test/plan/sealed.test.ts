import { createPrivateKey, X509Certificate } from "node:crypto";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { caught } from "@kindling/test-kit/caught";
import type { ConfigMap, Pod, Secret } from "kubernetes-types/core/v1.js";
import type { NetworkPolicy } from "kubernetes-types/networking/v1.js";
import { describe, expect, test } from "vitest";
import { submitTo, type SubmitCall } from "../fixtures/submission.ts";

const SEALED = { "spark.kindling.seal": "true" };

interface Sealed {
  readonly cluster: TestCluster;
  readonly driver: Pod | undefined;
  readonly secret: Secret | undefined;
  /** The driver's configuration, as text. */
  readonly configuration: string;
}

async function sealed(call: SubmitCall = {}, cluster?: TestCluster): Promise<Sealed> {
  const used = cluster ?? (await TestCluster.start());
  const { application } = await submitTo(used, { ...call, conf: { ...SEALED, ...call.conf } });
  const pods = await used.objects<Pod>("Pod");
  const secrets = await used.objects<Secret>("Secret");
  const maps = await used.objects<ConfigMap>("ConfigMap");
  return {
    cluster: used,
    driver: pods.find(({ metadata }) => metadata?.name === application.driverPod),
    secret: secrets.find(({ metadata }) => metadata?.name?.endsWith("-seal") === true),
    configuration: JSON.stringify(maps.map(({ data }) => data)),
  };
}

const decoded = (secret: Secret | undefined, entry: string): Buffer =>
  Buffer.from(secret?.data?.[entry] ?? "", "base64");

describe.each(["3.5.9", "4.1.0", "4.3.0"])("a sealed application of Spark %s", (version) => {
  const conf = { "spark.kubernetes.container.image": `apache/spark:${version}` };

  test("has a secret of its own, which only its Secret holds", async () => {
    const { driver, secret, configuration, cluster } = await sealed({ conf });
    expect(secret).toMatchObject({
      immutable: true,
      metadata: { ownerReferences: [{ name: driver?.metadata?.name }] },
    });
    expect(decoded(secret, "secret")).toHaveLength(32);
    // The driver encodes the bytes of its file like this, and executors must have the result.
    expect(decoded(secret, "secret-text").toString()).toBe(decoded(secret, "secret").toString("base64"));
    const text = decoded(secret, "secret-text").toString();
    expect(`${JSON.stringify(driver)}${configuration}`).not.toContain(text);
    const others = await sealed({ conf }, cluster);
    expect(others.cluster).toBe(cluster);
    const all = await cluster.objects<Secret>("Secret");
    expect(new Set(all.map(({ data }) => data?.["secret"])).size).toBe(all.length);
  });

  test("has a driver that encrypts, and gives its executors the secret by reference", async () => {
    const { secret, configuration } = await sealed({ conf });
    const name = secret?.metadata?.name ?? "";
    expect(configuration).toContain(String.raw`spark.authenticate.secret.file=/mnt/secrets/spark-seal/secret\n`);
    expect(configuration).toContain(`secretKeyRef._SPARK_AUTH_SECRET=${name}\\\\:secret-text`);
    const hasTls = version !== "3.5.9";
    expect(configuration.includes(String.raw`spark.network.crypto.enabled=true\n`)).toBe(!hasTls);
    expect(configuration.includes(String.raw`spark.ssl.rpc.enabled=true\n`)).toBe(hasTls);
    expect(configuration.includes(`spark.kubernetes.executor.secrets.${name}=/mnt/secrets/spark-seal`)).toBe(hasTls);
  });

  test("has policies by which only its own pods reach the ports between driver and executors", async () => {
    const { cluster } = await sealed({ conf });
    const policies = await cluster.objects<NetworkPolicy>("NetworkPolicy");
    const byRole = new Map(policies.map(({ spec }) => [spec?.podSelector.matchLabels?.["spark-role"], spec]));
    expect(new Set(byRole.keys())).toEqual(new Set(["driver", "executor"]));
    const own = { from: [{ podSelector: { matchLabels: { "spark-app-selector": expect.any(String) } } }] };
    expect(byRole.get("executor")?.ingress).toEqual([own]);
    expect(byRole.get("driver")?.ingress).toEqual([
      own,
      {
        ports: [
          { protocol: "TCP", port: 1, endPort: 7077 },
          { protocol: "TCP", port: 7080, endPort: 65_535 },
        ],
      },
    ]);
  });
});

test.each(["4.0.0", "4.3.0"])("its pods have a key that fits their certificate, with Spark %s", async (version) => {
  const { driver, secret, configuration } = await sealed({
    conf: { "spark.kubernetes.container.image": `apache/spark:${version}` },
  });
  const certificate = new X509Certificate(decoded(secret, "tls.crt"));
  expect(certificate.checkPrivateKey(createPrivateKey(decoded(secret, "tls.key")))).toBe(true);
  expect(configuration).toContain(String.raw`spark.ssl.rpc.privateKey=/mnt/secrets/spark-seal/tls.key\n`);
  expect(`${JSON.stringify(driver)}${configuration}`).not.toContain("PRIVATE KEY");
});

test("without TLS in its Spark, there is no key", async () => {
  const { secret } = await sealed({ conf: { "spark.kubernetes.container.image": "apache/spark:3.5.9" } });
  expect(Object.keys(secret?.data ?? {})).toEqual(["secret", "secret-text"]);
});

describe.each(["3.5.9", "4.3.0"])("the web UI of a sealed application of Spark %s", (version) => {
  const image = { "spark.kubernetes.container.image": `apache/spark:${version}` };

  test("has no TLS, unless that is wanted", async () => {
    const { secret, configuration } = await sealed({ conf: image });
    expect(Object.keys(secret?.data ?? {})).not.toContain("ui.p12");
    expect(configuration).not.toContain("spark.ssl.ui");
  });

  test("has a key store, and its password only in the Secret", async () => {
    const { driver, secret, configuration } = await sealed({ conf: { ...image, "spark.kindling.seal.ui": "true" } });
    const password = decoded(secret, "ui-password").toString();
    expect(decoded(secret, "ui.p12").length).toBeGreaterThan(0);
    expect(password).toHaveLength(32);
    expect(`${JSON.stringify(driver)}${configuration}`).not.toContain(password);
    const [container] = driver?.spec?.containers ?? [];
    expect(container?.env).toContainEqual({
      name: "KINDLING_SEAL_UI_PASSWORD",
      valueFrom: { secretKeyRef: { name: secret?.metadata?.name, key: "ui-password" } },
    });
    expect(configuration).toContain("keyStorePassword=${env\\\\:KINDLING_SEAL_UI_PASSWORD}");
    expect(container?.ports).toContainEqual({ name: "spark-ui-tls", containerPort: 4440, protocol: "TCP" });
  });
});

test("a web UI cannot be sealed alone", async () => {
  const cluster = await TestCluster.start();
  const error = await caught(submitTo(cluster, { conf: { "spark.kindling.seal.ui": "true" } }));
  expect(error).toMatchObject({ code: "CONF_CONFLICT" });
  expect(cluster.api.writes).toEqual([]);
});

test("a repeated submission keeps the secret of the first", async () => {
  const call = { submissionId: "nightly" };
  const { cluster, secret } = await sealed(call);
  const again = await sealed(call, cluster);
  expect(again.secret?.data).toEqual(secret?.data);
});

test.each([
  ["spark.authenticate", "false"],
  ["spark.ssl.rpc.enabled", "false"],
  ["spark.authenticate.secret", "mine"],
])("%s=%s is refused beside it, before anything is made", async (key, value) => {
  const cluster = await TestCluster.start();
  const error = await caught(submitTo(cluster, { conf: { ...SEALED, [key]: value } }));
  expect(error).toMatchObject({ code: "CONF_CONFLICT" });
  expect(error.message).toContain(key);
  expect(cluster.api.writes).toEqual([]);
});
