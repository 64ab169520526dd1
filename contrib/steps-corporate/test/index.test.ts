import { messageOf } from "@kindling/core-spec";
import { examineStep, sampleExecutor, sampleSubmission } from "@kindling/core-spec/testing";
import { driverPodWith, executorPodWith } from "@kindling/steps/testing";
import { describe, expect, test } from "vitest";
import corporate from "../src/index.ts";

const KEY = "spark.kindling.corporate";
const CA = { [`${KEY}.ca.configMap`]: "corporate-ca", [`${KEY}.ca.truststore`]: "truststore.p12" };
const PROXY = {
  [`${KEY}.proxy.http`]: "http://proxy.example.com:3128",
  [`${KEY}.proxy.https`]: "http://proxy.example.com:3128",
  [`${KEY}.proxy.noProxy`]: ".example.com, 10.0.0.0/8, db.example.org",
};

const envOf = ({ env = [] }: { env?: readonly { name: string; value?: string }[] }): Record<string, unknown> =>
  Object.fromEntries(env.map(({ name, value }) => [name, value]));

test("it is pure, additive and deterministic, and declares what it reads", () => {
  const options = { conf: { ...CA, ...PROXY } };
  const examination = {
    submissions: [sampleSubmission(), sampleSubmission(options)],
    executors: [sampleExecutor(), sampleExecutor(options)],
  };
  expect(examineStep(corporate, examination)).toEqual([]);
});

describe.each(["3.5.9", "4.3.0"])("with Spark %s", (sparkVersion) => {
  test.each(["driver", "gateway"] as const)(
    "certificates are mounted everywhere; executors by the %s",
    (executorsBy) => {
      const options = { sparkVersion, executorsBy, conf: CA };
      for (const { pod, container } of [driverPodWith(corporate, options), executorPodWith(corporate, options)]) {
        expect(pod.spec?.volumes).toContainEqual({ name: "corporate-ca", configMap: { name: "corporate-ca" } });
        expect(container.volumeMounts).toContainEqual({
          name: "corporate-ca",
          mountPath: "/etc/ssl/corporate",
          readOnly: true,
        });
        expect(envOf(container)).toMatchObject({
          SSL_CERT_FILE: "/etc/ssl/corporate/ca.crt",
          REQUESTS_CA_BUNDLE: "/etc/ssl/corporate/ca.crt",
        });
      }
    },
  );

  test("the JVM of driver and executors trusts them, in front of the user's own options", () => {
    const conf = {
      ...CA,
      "spark.executor.extraJavaOptions": "-Dmine=1",
      "spark.driver.defaultJavaOptions": "-Dsite=1",
    };
    const { sparkConf } = driverPodWith(corporate, { sparkVersion, conf });
    const options =
      "-Djavax.net.ssl.trustStore=/etc/ssl/corporate/truststore.p12 -Djavax.net.ssl.trustStoreType=PKCS12 -Djavax.net.ssl.trustStorePassword=changeit";
    expect(sparkConf["spark.driver.defaultJavaOptions"]).toBe(`-Dsite=1 ${options}`);
    expect(sparkConf["spark.executor.defaultJavaOptions"]).toBe(options);
    const texts = (executorPodWith(corporate, { sparkVersion, conf }).container.env ?? [])
      .filter(({ name }) => name.startsWith("SPARK_JAVA_OPT_"))
      .map(({ value }) => value);
    const trusted = texts.indexOf("-Djavax.net.ssl.trustStoreType=PKCS12");
    expect(trusted).toBeGreaterThanOrEqual(0);
    expect(texts.lastIndexOf("-Dmine=1")).toBeGreaterThan(trusted);
  });

  test.each(["driver", "gateway"] as const)("the environment names the proxies; executors by the %s", (executorsBy) => {
    const options = { sparkVersion, executorsBy, conf: PROXY };
    for (const { container } of [driverPodWith(corporate, options), executorPodWith(corporate, options)]) {
      const { HTTPS_PROXY, http_proxy, NO_PROXY = "", no_proxy } = envOf(container);
      expect([HTTPS_PROXY, http_proxy]).toEqual(Array(2).fill("http://proxy.example.com:3128"));
      expect(no_proxy).toBe(NO_PROXY);
      expect(String(NO_PROXY).split(",")).toEqual(
        expect.arrayContaining([".svc", ".svc.cluster.local", "kubernetes.default.svc", ".example.com", "10.0.0.0/8"]),
      );
    }
  });
});

describe("who is reached without a proxy", () => {
  const javaOf = (conf: Readonly<Record<string, string>>): string =>
    driverPodWith(corporate, { conf: { ...PROXY, ...conf } }).sparkConf["spark.driver.defaultJavaOptions"] ?? "";

  test("is said to the JVM in its own words", () => {
    const [, hosts = ""] = /-Dhttp\.nonProxyHosts=(\S+)/.exec(javaOf({})) ?? [];
    expect(hosts.split("|")).toEqual(
      expect.arrayContaining([
        "127.0.0.1",
        "*.svc.cluster.local",
        "*.example.com",
        "10.*",
        "db.example.org",
        "*.db.example.org",
      ]),
    );
    expect(javaOf({})).toContain("-Dhttps.proxyHost=proxy.example.com -Dhttps.proxyPort=3128");
  });

  test("is the gateway, too, where the driver asks for executors", () => {
    const conf = { "spark.kindling.scheduler.uri": "https://gateway.example.net:8443" };
    const { container } = driverPodWith(corporate, { executorsBy: "gateway", conf: { ...PROXY, ...conf } });
    expect(String(envOf(container)["NO_PROXY"]).split(",")).toContain("gateway.example.net");
  });

  test("is told to the user where the JVM has no word for it", () => {
    const said: string[] = [];
    const submission = sampleSubmission({ conf: { ...PROXY, [`${KEY}.proxy.noProxy`]: "10.1.0.0/12" } });
    const spec = {
      driverPod: { apiVersion: "v1", kind: "Pod" } as const,
      driverContainer: { name: "" },
      otherKubernetesResources: [],
      preKubernetesResources: [],
      driverSparkConf: {},
    };
    corporate.configureDriver?.(spec, { ...submission, notice: (message) => void said.push(message) });
    expect(said).toEqual([expect.stringContaining("10.1.0.0/12")]);
  });
});

test("what the user has set stays", () => {
  const conf = { ...PROXY, "spark.kubernetes.driverEnv.HTTPS_PROXY": "http://mine:1" };
  const { container } = driverPodWith(corporate, { conf });
  expect((container.env ?? []).filter(({ name }) => name === "HTTPS_PROXY")).toEqual([
    { name: "HTTPS_PROXY", value: "http://mine:1" },
  ]);
});

test("without its keys nothing changes", () => {
  expect(driverPodWith(corporate)).toEqual(driverPodWith([]));
  expect(executorPodWith(corporate)).toEqual(executorPodWith([]));
});

test.each([
  ["proxy.http", "proxy.example.com"],
  ["proxy.noProxy", "a|b"],
  ["ca.truststore", "../keys"],
  ["ca.truststorePassword", 'a" -Dx=y'],
])("%s=%s is refused with its key", (name, value) => {
  const conf = { ...CA, ...PROXY, [`${KEY}.${name}`]: value };
  expect(() => driverPodWith(corporate, { conf })).toThrow(`${KEY}.${name}: `);
});

test("a proxy's password is refused, and not shown", () => {
  const conf = { [`${KEY}.proxy.https`]: "http://someone:hunter2@proxy.example.com:3128" };
  const message = messageOf(caught(() => driverPodWith(corporate, { conf })));
  expect(message).toContain(`${KEY}.proxy.https: it contains a user name`);
  expect(message).not.toContain("hunter2");
});

function caught(body: () => unknown): unknown {
  try {
    return body();
  } catch (error) {
    return error;
  }
}
