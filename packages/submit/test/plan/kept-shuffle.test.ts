import { HANDOVER_ENTRY, parseHandover } from "@kindling/steps";
import type { ConfigMap } from "kubernetes-types/core/v1.js";
import { describe, expect, test } from "vitest";
import { plan } from "../../src/index.ts";
import { planInput } from "../fixtures/plan-input.ts";

const KEEP = {
  "spark.kindling.scheduler": "gateway",
  "spark.kindling.scheduler.uri": "https://kindling-gateway.spark-system.svc:8443",
  "spark.kindling.localizer.image": "kindling/localizer:1",
  "spark.kindling.shuffle": "keep",
};
const DYNAMIC = { "spark.dynamicAllocation.enabled": "true" };

const planned = (conf: Readonly<Record<string, string>> = {}) => plan(planInput({ ...KEEP, ...conf })).objects;

describe("an application whose executors leave their shuffle files behind", () => {
  test("uses the service in its executors' pods", () => {
    const { driverSparkConf } = planned();
    expect(driverSparkConf).toMatchObject({
      "spark.shuffle.service.enabled": "true",
      "spark.shuffle.service.removeShuffle": "true",
    });
    expect(driverSparkConf).not.toHaveProperty("spark.dynamicAllocation.shuffleTracking.enabled");
  });

  test("lets idle executors go soon, unless the user says another time", () => {
    expect(planned(DYNAMIC).driverSparkConf).toMatchObject({
      "spark.dynamicAllocation.shuffleTracking.enabled": "false",
      "spark.dynamicAllocation.executorIdleTimeout": "10s",
    });
    const own = { "spark.dynamicAllocation.executorIdleTimeout": "5min" };
    expect(planned({ ...DYNAMIC, ...own }).driverSparkConf).toMatchObject(own);
  });

  test("takes a configuration that was written for shuffle tracking", () => {
    const tracking = { ...DYNAMIC, "spark.dynamicAllocation.shuffleTracking.enabled": "true" };
    expect(planned(tracking).driverSparkConf).toMatchObject({ ...tracking, "spark.shuffle.service.enabled": "true" });
  });

  test("announces executors with the room of the service, and hands the step to the gateway", () => {
    const { pod, resources } = planned();
    const { annotations = {} } = pod.metadata ?? {};
    expect(JSON.parse(annotations["scheduler.kindling/executor-request"] ?? "")).toEqual({
      cpu: "1020m",
      memory: "1504Mi",
    });
    const handed = (resources as readonly ConfigMap[]).find(({ data = {} }) => HANDOVER_ENTRY in data);
    const { steps, conf } = parseHandover(handed?.data?.[HANDOVER_ENTRY] ?? "") ?? {};
    expect(steps?.map(({ name }) => name)).toContain("shuffle-server");
    expect(conf).toMatchObject({
      "spark.kindling.shuffle": "keep",
      "spark.kindling.localizer.image": "kindling/localizer:1",
    });
  });

  test.each([
    [{ "spark.kindling.scheduler": "native" }, /needs spark\.kindling\.scheduler=gateway, and it is native/],
    [
      { "spark.kindling.scheduler.executorSteps": "template" },
      /needs spark\.kindling\.scheduler\.executorSteps=gateway/,
    ],
    [{ "spark.kubernetes.allocation.pods.allocator": "statefulset" }, /needs .*allocator=direct/],
    [{ "spark.shuffle.service.enabled": "false" }, /spark\.shuffle\.service\.enabled=false cannot be combined/],
    [{ "spark.authenticate.enableSaslEncryption": "true" }, /enableSaslEncryption=true cannot be combined/],
    [{ "spark.ssl.rpc.enabled": "true" }, /needs the key of spark\.ssl\.rpc\.enabled in PEM files/],
    [
      {
        "spark.ssl.rpc.enabled": "true",
        "spark.ssl.rpc.certChain": "/tls/tls.crt",
        "spark.ssl.rpc.privateKey": "/tls/tls.key",
        "spark.ssl.rpc.privateKeyPassword": "secret",
      },
      /in PEM files without a password/,
    ],
    [
      { "spark.authenticate": "true", "spark.authenticate.secret.file": "/secret" },
      /spark\.authenticate\.secret\.file cannot be combined/,
    ],
    [{ "spark.kubernetes.local.dirs.tmpfs": "true" }, /tmpfs=true cannot be combined/],
    [
      { "spark.kubernetes.executor.volumes.persistentVolumeClaim.spark-local-dir-1.options.claimName": "OnDemand" },
      /persistentVolumeClaim\.spark-local-dir-1\.options\.claimName cannot be combined/,
    ],
  ])("is refused with %o", (conf, message) => {
    expect(() => planned(conf)).toThrow(message);
  });

  test("is refused without an image that has the program", () => {
    const { "spark.kindling.localizer.image": _image, ...others } = KEEP;
    expect(() => plan(planInput(others))).toThrow(/needs spark\.kindling\.localizer\.image/);
  });
});
