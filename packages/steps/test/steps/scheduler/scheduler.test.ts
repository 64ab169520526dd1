import { SPARK_RELEASES } from "@kindling/core-spec";
import { examineStep, sampleSubmission } from "@kindling/core-spec/testing";
import { describe, expect, test } from "vitest";
import { scheduler } from "../../../src/steps/scheduler/scheduler.ts";
import { driver, GATEWAY, gatewayDriver, KEY } from "./gateway-driver.ts";

const RESTART = "spark.kindling.driver.restart";
const SERVICE_ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount";
const CA = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
const FILES = { "/etc/ca.pem": CA, "/etc/executor.yaml": '{"spec":{"containers":[{"name":"main"}]}}' };

/** Sets all keys for the gateway. */
const EVERYTHING = {
  ...GATEWAY,
  [`${KEY}.caFile`]: "/etc/ca.pem",
  [`${KEY}.queue`]: "etl",
  [`${KEY}.priority`]: "-3",
  [`${KEY}.minExecutors`]: "1",
  [RESTART]: "always",
  [`${RESTART}.maxRestarts`]: "7",
  [`${RESTART}.backoff`]: "1min",
  [`${RESTART}.resetAfter`]: "2h",
  "spark.kubernetes.executor.podTemplateFile": "/etc/executor.yaml",
};

describe("the scheduler step", () => {
  test.each(SPARK_RELEASES)("is pure, additive and deterministic with Spark %s", (sparkVersion) => {
    const submissions = [GATEWAY, EVERYTHING].map((conf) => sampleSubmission({ conf, files: FILES, sparkVersion }));
    expect(examineStep(scheduler, { submissions })).toEqual([]);
  });

  test("gives the driver a token for the gateway alone, where Spark's client looks for one", () => {
    const { driverPod, driverContainer, driverSparkConf } = gatewayDriver({ conf: { [`${KEY}.audience`]: "team-a" } });
    const mounts = driverContainer.volumeMounts?.filter(({ mountPath }) => mountPath === SERVICE_ACCOUNT) ?? [];
    expect(mounts).toEqual([{ name: "kindling-scheduler-access", mountPath: SERVICE_ACCOUNT, readOnly: true }]);
    expect(driverPod.spec?.automountServiceAccountToken).toBe(false);
    expect(driverPod.spec?.volumes?.find(({ name }) => name === mounts[0]?.name)?.projected).toEqual({
      sources: [
        { serviceAccountToken: { audience: "team-a", expirationSeconds: 3600, path: "token" } },
        { configMap: { name: "kindling-gateway-ca", items: [{ key: "ca.crt", path: "ca.crt" }] } },
        {
          downwardAPI: {
            items: [{ path: "namespace", fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" } }],
          },
        },
      ],
    });
    expect(driverSparkConf["spark.kubernetes.driver.master"]).toBe(GATEWAY[`${KEY}.uri`]);
  });

  test("a template cannot bring the API server's token back", () => {
    const template = { spec: { automountServiceAccountToken: true, containers: [] } };
    expect(gatewayDriver({ template }).driverPod.spec?.automountServiceAccountToken).toBe(false);
  });

  test("certificates of the submitter's disk travel in a ConfigMap of the driver's", () => {
    const { driverPod, otherKubernetesResources } = gatewayDriver({
      conf: { [`${KEY}.caFile`]: "/etc/ca.pem" },
      files: FILES,
    });
    const map = otherKubernetesResources.find(({ metadata }) => metadata.name.endsWith("-scheduler-ca"));
    expect(map).toMatchObject({ kind: "ConfigMap", immutable: true, data: { "ca.crt": CA } });
    expect(JSON.stringify(driverPod.spec?.volumes)).toContain(`{"name":"${map?.metadata.name}","items"`);
  });

  test("a ConfigMap that is there is named, and none is made", () => {
    const { driverPod, otherKubernetesResources } = gatewayDriver({ conf: { [`${KEY}.caConfigMap`]: "our-ca" } });
    expect(JSON.stringify(driverPod.spec?.volumes)).toContain('"configMap":{"name":"our-ca"');
    expect(otherKubernetesResources.map(({ kind }) => kind)).not.toContain("ConfigMap");
  });

  test("tells the gateway what the application is", () => {
    const { metadata } = gatewayDriver({ conf: EVERYTHING, files: FILES }).driverPod;
    expect(metadata?.labels).toMatchObject({
      "scheduler.kindling/gateway": "true",
      "scheduler.kindling/queue": "etl",
    });
    expect(metadata?.annotations).toEqual({
      "scheduler.kindling/min-executors": "1",
      "scheduler.kindling/priority": "-3",
      "scheduler.kindling/executor-request": '{"cpu":"1","memory":"1408Mi"}',
      "scheduler.kindling/driver-restart": "always",
      "scheduler.kindling/driver-max-restarts": "7",
      "scheduler.kindling/driver-restart-backoff-seconds": "60",
      "scheduler.kindling/driver-restart-reset-after-seconds": "7200",
      "scheduler.kindling/early-executors": "2",
    });
  });

  test("names a LocalQueue of Kueue", () => {
    const { driverPod } = gatewayDriver({ conf: { [`${KEY}.queue`]: "kueue:team-a" } });
    expect(driverPod.metadata?.labels).toMatchObject({ "scheduler.kindling/kueue-queue": "team-a" });
    expect(driverPod.metadata?.labels).not.toHaveProperty(["scheduler.kindling/queue"]);
  });

  test("says nothing of a queue, a priority or restarts that nobody asked for", () => {
    const { labels = {}, annotations = {} } = gatewayDriver().driverPod.metadata ?? {};
    expect(Object.keys(labels).filter((name) => name.startsWith("scheduler."))).toEqual(["scheduler.kindling/gateway"]);
    expect(Object.keys(annotations)).toEqual([
      "scheduler.kindling/min-executors",
      "scheduler.kindling/executor-request",
      "scheduler.kindling/early-executors",
    ]);
  });

  test.each<[string, Record<string, string>, object | undefined, string[] | undefined]>([
    ["with a gate of the gateway's", {}, undefined, ["scheduler.kindling/admission"]],
    ["without one", { [`${KEY}.gate`]: "false" }, undefined, undefined],
    [
      "with a template's gates before it",
      {},
      { schedulingGates: [{ name: "a/b" }] },
      ["a/b", "scheduler.kindling/admission"],
    ],
    [
      "with one that a template has already",
      {},
      { schedulingGates: [{ name: "scheduler.kindling/admission" }] },
      ["scheduler.kindling/admission"],
    ],
  ])("the driver pod is made %s", (_, conf, spec, gates) => {
    const { driverPod } = gatewayDriver({ conf, ...(spec && { template: { spec } }) });
    expect(driverPod.spec?.schedulingGates?.map(({ name }) => name)).toEqual(gates);
  });
});

describe("natively", () => {
  const keys = {
    [`${KEY}.uri`]: "http://nonsense",
    [`${KEY}.audience`]: "kubernetes",
    [`${KEY}.caFile`]: "/absent",
    [`${KEY}.caConfigMap`]: "our-ca",
    [`${KEY}.gate`]: "true",
  };

  test.each([
    ["said or not", { [KEY]: "native" }],
    ["whatever a site has as defaults for the gateway", keys],
  ])("nothing of the driver is different, %s", (_, conf) => {
    const notices: string[] = [];
    expect(driver({ conf }, (notice) => notices.push(notice))).toEqual(driver());
    expect(notices).toEqual([]);
  });

  test("keys that only the gateway goes by are told of", () => {
    const notices: string[] = [];
    const conf = { [`${KEY}.queue`]: "etl", [`${RESTART}.maxRestarts`]: "3" };
    expect(driver({ conf }, (notice) => notices.push(notice))).toEqual(driver());
    expect(notices).toEqual([
      `${KEY}.queue has no effect without ${KEY}=gateway`,
      `${RESTART}.maxRestarts has no effect without ${RESTART}=onFailure or always`,
    ]);
  });

  test("a driver cannot ask to be restarted", () => {
    expect(() => driver({ conf: { [RESTART]: "onFailure" } })).toThrow(
      `${RESTART}=onFailure needs ${KEY}=gateway: it is the gateway that starts drivers again`,
    );
  });
});
