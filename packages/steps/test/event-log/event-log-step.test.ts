import { examineStep, sampleSubmission } from "@kindling/core-spec/testing";
import { describe, expect, test } from "vitest";
import { podSecurity, podSecurityViolations, recordedEventLog } from "../../src/index.ts";
import { driverPodWith, type MadeDriver } from "../../src/testing/pods-with.ts";

const RECORD = {
  "spark.kindling.eventLog": "record",
  "spark.kindling.eventLog.uri": "https://kindling-recorder.kindling.svc:8080",
  "spark.kindling.localizer.image": "kindling/localizer:1",
};

function driverWith(conf: Readonly<Record<string, string>> = {}): MadeDriver {
  return driverPodWith(recordedEventLog, { sparkVersion: "4.3.0", conf: { ...RECORD, ...conf } });
}

describe("a driver whose event log the recorder keeps", () => {
  test("writes it into a folder of its pod, from which a second container brings it", () => {
    const { pod, sparkConf } = driverWith();
    expect(sparkConf).toMatchObject({
      "spark.eventLog.enabled": "true",
      "spark.eventLog.dir": "file:/var/log/kindling/event-log",
      "spark.eventLog.rolling.enabled": "true",
      "spark.eventLog.compress": "true",
    });
    const shipper = pod.spec?.containers?.find(({ name }) => name === "kindling-event-log");
    const spark = pod.spec?.containers?.find(({ name }) => name === "spark-kubernetes-driver");
    const folder = { name: "kindling-event-log", mountPath: "/var/log/kindling/event-log" };
    expect(spark?.volumeMounts).toContainEqual(folder);
    expect(shipper).toMatchObject({
      image: "kindling/localizer:1",
      command: ["kindling-event-log-shipper"],
      resources: { requests: { cpu: "10m", memory: "96Mi" }, limits: { memory: "96Mi" } },
    });
    expect(shipper?.volumeMounts).toContainEqual(folder);
  });

  test("has a token for the recorder alone, and only the second container has it", () => {
    const { pod } = driverWith();
    const volume = pod.spec?.volumes?.find(({ name }) => name === "kindling-event-log-access");
    expect(volume?.projected?.sources?.[0]).toEqual({
      serviceAccountToken: { audience: "kindling-recorder", expirationSeconds: 3600, path: "token" },
    });
    const holders = pod.spec?.containers?.filter(({ volumeMounts = [] }) =>
      volumeMounts.some(({ name }) => name === "kindling-event-log-access"),
    );
    expect(holders?.map(({ name }) => name)).toEqual(["kindling-event-log"]);
  });

  test("has that container after Spark's own, which starts first so, and whose log `kubectl logs` shows", () => {
    const { pod } = driverWith();
    expect(pod.spec?.containers?.map(({ name }) => name)).toEqual(["spark-kubernetes-driver", "kindling-event-log"]);
  });

  test("keeps what the application says about event logs", () => {
    const { sparkConf } = driverWith({
      "spark.eventLog.rolling.maxFileSize": "64m",
      "spark.eventLog.compress": "false",
    });
    expect(sparkConf).toMatchObject({
      "spark.eventLog.rolling.maxFileSize": "64m",
      "spark.eventLog.compress": "false",
      "spark.eventLog.enabled": "true",
    });
  });

  test.each([
    [{}, 185],
    [{ "spark.kindling.eventLog.runAsUser": "1000" }, 1000],
    [{ "spark.kindling.eventLog.runAsUser": "none" }, undefined],
  ])("has a second container that runs as the user of the driver's image: %o", (conf, user) => {
    const { pod } = driverWith(conf);
    const shipper = pod.spec?.containers?.find(({ name }) => name === "kindling-event-log");
    expect(shipper?.securityContext?.runAsUser).toBe(user);
  });

  test("meets the level restricted of the Pod Security Standards", () => {
    const conf = { ...RECORD, "spark.kindling.podSecurity": "restricted" };
    const { pod } = driverPodWith([recordedEventLog, podSecurity], { sparkVersion: "4.3.0", conf });
    expect(podSecurityViolations(pod, "restricted")).toEqual([]);
  });

  test("only adds to the driver", () => {
    expect(
      examineStep(recordedEventLog, { submissions: [sampleSubmission({ sparkVersion: "4.3.0", conf: RECORD })] }),
    ).toEqual([]);
  });
});

test.each([
  ["an event log of its own", { "spark.eventLog.dir": "s3a://logs/" }],
  ["no event log", { "spark.eventLog.enabled": "false" }],
  ["nothing of this", { "spark.kindling.eventLog": "native" }],
])("an application that wants %s is left alone", (_, conf) => {
  const { pod, sparkConf } = driverWith(conf);
  expect(pod.spec?.containers?.map(({ name }) => name)).toEqual(["spark-kubernetes-driver"]);
  expect(sparkConf["spark.eventLog.dir"]).not.toBe("file:/var/log/kindling/event-log");
});

test.each(["spark.kindling.eventLog.uri", "spark.kindling.localizer.image"])("says that %s is missing", (key) => {
  const conf = Object.fromEntries(Object.entries(RECORD).filter(([name]) => name !== key));
  expect(() => driverPodWith(recordedEventLog, { sparkVersion: "4.3.0", conf })).toThrow(`${key} is not set`);
});

test.each(["http://recorder:8080", "recorder"])("%s is no URI to which tokens are sent", (uri) => {
  expect(() => driverWith({ "spark.kindling.eventLog.uri": uri })).toThrow("an https URI");
});
