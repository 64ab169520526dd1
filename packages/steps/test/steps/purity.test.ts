import { describe, expect, test } from "vitest";
import { confType, SPARK_RELEASES, type ConfKey, type Step } from "@kindling/core-spec";
import { examineStep, sampleExecutor, sampleSubmission, type SampleOptions } from "@kindling/core-spec/testing";
import { allKeys, CHAIN } from "../../src/index.ts";
import { volcano } from "../../src/steps/volcano.ts";

const DRIVER = "spark.kubernetes.driver";
const EXECUTOR = "spark.kubernetes.executor";

/** A configuration that makes every step do everything it can. */
const EVERYTHING: SampleOptions = {
  conf: {
    [`${DRIVER}.label.team`]: "data",
    [`${DRIVER}.annotation.note`]: "{{APP_ID}}",
    [`${EXECUTOR}.label.team`]: "data",
    [`${EXECUTOR}.annotation.note`]: "{{EXECUTOR_ID}}",
    "spark.kubernetes.driverEnv.A": "b",
    "spark.executorEnv.A": "b",
    "spark.kubernetes.node.selector.zone": "a",
    "spark.kubernetes.scheduler.name": "batch",
    "spark.kubernetes.container.image.pullSecrets": "one,two",
    "spark.driver.resource.gpu.amount": "1",
    "spark.driver.resource.gpu.vendor": "nvidia.com",
    "spark.executor.resource.gpu.amount": "1",
    "spark.executor.resource.gpu.vendor": "nvidia.com",
    "spark.kubernetes.driver.limit.cores": "2",
    "spark.kubernetes.executor.limit.cores": "2",
    "spark.kubernetes.authenticate.driver.serviceAccountName": "driver",
    "spark.kubernetes.authenticate.driver.oauthToken": "hunter2",
    "spark.kubernetes.authenticate.driver.caCertFile": "/etc/ca.crt",
    [`${DRIVER}.secrets.db`]: "/etc/db",
    [`${DRIVER}.secretKeyRef.PASSWORD`]: "db:password",
    [`${EXECUTOR}.secrets.db`]: "/etc/db",
    [`${EXECUTOR}.secretKeyRef.PASSWORD`]: "db:password",
    [`${DRIVER}.volumes.hostPath.logs.mount.path`]: "/logs",
    [`${DRIVER}.volumes.hostPath.logs.options.path`]: "/var/log",
    [`${DRIVER}.volumes.persistentVolumeClaim.data.mount.path`]: "/data",
    [`${DRIVER}.volumes.persistentVolumeClaim.data.options.claimName`]: "OnDemand",
    [`${DRIVER}.volumes.persistentVolumeClaim.data.options.storageClass`]: "fast",
    [`${DRIVER}.volumes.persistentVolumeClaim.data.options.sizeLimit`]: "1Gi",
    [`${EXECUTOR}.volumes.persistentVolumeClaim.data.mount.path`]: "/data",
    [`${EXECUTOR}.volumes.persistentVolumeClaim.data.options.claimName`]: "OnDemand",
    [`${EXECUTOR}.volumes.persistentVolumeClaim.data.options.storageClass`]: "fast",
    [`${EXECUTOR}.volumes.persistentVolumeClaim.data.options.sizeLimit`]: "1Gi",
    [`${EXECUTOR}.hadoopConfigMapName`]: "hadoop",
    "spark.files": "/etc/a.txt,https://host/b.txt",
    "spark.archives": "/etc/c.zip#c",
    "spark.kubernetes.kerberos.krb5.path": "/etc/krb5.conf",
    "spark.kerberos.principal": "me@REALM",
    "spark.kerberos.keytab": "/etc/me.keytab",
    [`${EXECUTOR}.podTemplateFile`]: "/etc/executor.yaml",
    "spark.decommission.enabled": "true",
    "spark.executor.extraJavaOptions": "-Da='b c'",
    "spark.kubernetes.scheduler.volcano.podGroupTemplateJson": '{"spec":{"minMember":1}}',
  },
  env: { HADOOP_CONF_DIR: "/etc/hadoop", PYSPARK_PYTHON: "/opt/python" },
  files: {
    "/etc/ca.crt": "CA",
    "/etc/krb5.conf": "[libdefaults]",
    "/etc/me.keytab": "keytab",
    "/etc/executor.yaml": "{}",
    "/etc/hadoop/core-site.xml": "<configuration/>",
  },
  mainApplication: {
    language: "python",
    resource: "/home/me/app.py",
    mainClass: "org.apache.spark.deploy.PythonRunner",
  },
};

// Facts of the running driver that nobody declares as configuration keys.
const RUNTIME_FACTS = [
  "spark.kubernetes.resource.type",
  "spark.driver.host",
  "spark.driver.bindAddress",
  `${EXECUTOR}.hadoopConfigMapName`,
];

// Names the configuration folder; gathering reads it for the step.
const SPARK_HOME = "spark.home";

const steps: Step[] = [...CHAIN.map((row) => row.step), volcano];
const foreignKeys = [...RUNTIME_FACTS, SPARK_HOME, ...allKeys().flatMap((key) => ("key" in key ? [key.key] : []))];

describe.each(SPARK_RELEASES)("built-in steps of Spark %s", (sparkVersion) => {
  test.each(steps.map((step) => [step.name, step] as const))("%s is pure, additive and deterministic", (_, step) => {
    for (const options of [{}, EVERYTHING]) {
      const samples = {
        submissions: [sampleSubmission({ ...options, sparkVersion })],
        executors: [sampleExecutor({ ...options, sparkVersion })],
      };
      expect(examineStep(step, { ...samples, foreignKeys })).toEqual([]);
    }
  });
});

describe("declared keys", () => {
  const keys = allKeys().filter((key): key is ConfKey<unknown> => "key" in key);

  test.each(keys.map((key) => [key.key, key] as const))(
    "%s has a default that it would take, and says what it is for",
    (_, key) => {
      for (const { text } of key.defaults) expect(confType.isMisfit(key.type.parse(text))).toBe(false);
      expect(key.doc).toMatch(/^[A-Z].*\.$/);
      expect(key.readBy.length).toBeGreaterThan(0);
    },
  );

  test("are declared once each", () => {
    const byName = new Map<string, ConfKey<unknown>>();
    for (const key of keys) {
      expect(byName.get(key.key) ?? key).toBe(key);
      byName.set(key.key, key);
    }
  });
});
