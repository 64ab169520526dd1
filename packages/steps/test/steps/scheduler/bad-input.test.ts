import { describe, expect, test } from "vitest";
import { driver, gatewayDriver, KEY, type DriverOptions } from "./gateway-driver.ts";

const RESTART = "spark.kindling.driver.restart";
const MASTER = "spark.kubernetes.driver.master";
const OWN = "spark.kubernetes.authenticate.driver";
const CERTIFICATE = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
const FILES = {
  "/etc/ca.pem": CERTIFICATE,
  "/etc/notes.txt": "no certificate",
  "/etc/both.pem": `${CERTIFICATE}-----BEGIN EC PRIVATE KEY-----\n`,
};

const conf = (key: string, value: string): DriverOptions => ({ conf: { [key]: value }, files: FILES });

describe("with the gateway", () => {
  test.each<[string, string]>([
    [KEY, "sometimes"],
    [`${KEY}.uri`, "http://kindling-gateway.spark-system.svc"],
    [`${KEY}.uri`, "kindling-gateway.spark-system.svc:8443"],
    [`${KEY}.uri`, "https://me:hunter2@gateway"],
    [`${KEY}.uri`, "https://gateway/?a=b"],
    [`${KEY}.uri`, "https://gateway/#a"],
    [`${KEY}.uri`, "https://gate way"],
    [`${KEY}.uri`, "https://"],
    [`${KEY}.uri`, ""],
    [`${KEY}.audience`, "https://kubernetes.default.svc"],
    [`${KEY}.audience`, "a,b"],
    [`${KEY}.caConfigMap`, "Our_CA"],
    [`${KEY}.queue`, "etl/nightly"],
    [`${KEY}.queue`, "-etl"],
    [`${KEY}.queue`, ""],
    [`${KEY}.queue`, "kueue:"],
    [`${KEY}.queue`, "volcano:etl"],
    [`${KEY}.queue`, "q".repeat(64)],
    [`${KEY}.priority`, "high"],
    [`${KEY}.priority`, "1.5"],
    [`${KEY}.priority`, "2147483648"],
    [`${KEY}.minExecutors`, "-1"],
    [`${KEY}.minExecutors`, "all"],
    [`${KEY}.gate`, "maybe"],
    [RESTART, "sometimes"],
    ["spark.executor.instances", "many"],
  ])("%s=%s is refused by name", (key, value) => {
    expect(() => gatewayDriver(conf(key, value))).toThrow(
      expect.objectContaining({ code: "CONF_INVALID", message: expect.stringContaining(`${key}: `) }),
    );
  });

  test.each([
    [`${RESTART}.maxRestarts`, "0"],
    [`${RESTART}.backoff`, "500ms"],
    [`${RESTART}.resetAfter`, "soon"],
  ])("%s=%s is refused by name", (key, value) => {
    expect(() => gatewayDriver({ conf: { [RESTART]: "always", [key]: value } })).toThrow(
      expect.objectContaining({ code: "CONF_INVALID", message: expect.stringContaining(`${key}: `) }),
    );
  });

  test.each([
    MASTER,
    ...["oauthToken", "oauthTokenFile", "caCertFile", "clientKeyFile", "clientCertFile"].map(
      (name) => `${OWN}.${name}`,
    ),
    ...["oauthTokenFile", "caCertFile", "clientKeyFile", "clientCertFile"].map((name) => `${OWN}.mounted.${name}`),
  ])("%s contradicts it, and what to do is said", (key) => {
    expect(() => gatewayDriver(conf(key, "/etc/ca.pem"))).toThrow(
      expect.objectContaining({
        code: "CONF_CONFLICT",
        message: expect.stringMatching(
          new RegExp(`^${key.replaceAll(".", "\\.")} cannot be set with ${KEY}=gateway, `),
        ),
        hint: `leave ${key} out, or set ${KEY}=native`,
      }),
    );
  });

  test("the driver's account may be named: it needs no rights", () => {
    const { driverPod } = gatewayDriver(conf(`${OWN}.serviceAccountName`, "spark"));
    expect(driverPod.spec?.serviceAccountName).toBe("spark");
  });

  test.each<[string, DriverOptions, string, RegExp]>([
    [
      "certificates in two places",
      { conf: { [`${KEY}.caFile`]: "/etc/ca.pem", [`${KEY}.caConfigMap`]: "ours" }, files: FILES },
      "CONF_CONFLICT",
      /scheduler\.caFile and spark\.kindling\.scheduler\.caConfigMap must not both be set/,
    ],
    ["a file that is not there", conf(`${KEY}.caFile`, "/absent"), "FILE_UNREADABLE", /scheduler\.caFile: \/absent/],
    [
      "a file of something else",
      conf(`${KEY}.caFile`, "/etc/notes.txt"),
      "FILE_UNPARSABLE",
      /caFile: .*no certificate/,
    ],
    ["a file with a key", conf(`${KEY}.caFile`, "/etc/both.pem"), "FILE_UNPARSABLE", /caFile: .*a private key/],
    [
      "more executors than a static application has",
      { conf: { [`${KEY}.minExecutors`]: "3", "spark.executor.instances": "2" } },
      "CONF_CONFLICT",
      /minExecutors=3 is more than the driver will ask for: spark\.executor\.instances is 2/,
    ],
    [
      "more executors than dynamic allocation allows",
      {
        conf: {
          [`${KEY}.minExecutors`]: "3",
          "spark.dynamicAllocation.enabled": "true",
          "spark.dynamicAllocation.maxExecutors": "2",
        },
      },
      "CONF_CONFLICT",
      /minExecutors=3 .*spark\.dynamicAllocation\.maxExecutors is 2/,
    ],
    [
      "another volume where the token goes",
      conf("spark.kubernetes.driver.secrets.mine", "/var/run/secrets/kubernetes.io/serviceaccount/"),
      "CONF_CONFLICT",
      /volume mine-volume is mounted at .*serviceaccount of the driver/,
    ],
    [
      "a label that says something else",
      conf("spark.kubernetes.driver.label.scheduler.kindling/gateway", "false"),
      "CONF_CONFLICT",
      /label scheduler\.kindling\/gateway of the driver pod/,
    ],
    [
      "an annotation that says something else",
      { template: { metadata: { annotations: { "scheduler.kindling/priority": "9" } }, spec: {} } },
      "CONF_CONFLICT",
      /annotation scheduler\.kindling\/priority of the driver pod/,
    ],
    [
      "a sidecar of executors that asks for nonsense",
      {
        conf: { "spark.kubernetes.executor.podTemplateFile": "/etc/t" },
        files: {
          "/etc/t": '{"spec":{"containers":[{"name":"a"},{"name":"b","resources":{"requests":{"cpu":"lots"}}}]}}',
        },
      },
      "TEMPLATE_INVALID",
      /podTemplateFile: \/etc\/t: container b asks for "lots" of cpu, which is no quantity/,
    ],
  ])("%s is refused", (_, options, code, message) => {
    expect(() => gatewayDriver(options)).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
  });

  test("where the gateway is has to be said", () => {
    expect(() => driver({ conf: { [KEY]: "gateway" } })).toThrow(
      expect.objectContaining({ code: "CONF_MISSING", message: expect.stringContaining(`${KEY}.uri is not set`) }),
    );
  });
});
