import { describe, expect, test } from "vitest";
import { STOCK_DENIED_KEYS } from "../../src/validation/denied-keys.ts";
import { validate } from "../../src/validation/validate.ts";
import { applicationWith } from "@kindling/spark-application/testing";

const refused = (sparkConf: Record<string, string>, openFolder?: string) =>
  validate(applicationWith({ sparkConf }), { openFolder });

describe("stock's list", () => {
  test("has the keys of v2.5.2", () => {
    expect(Object.keys(STOCK_DENIED_KEYS)).toHaveLength(13);
  });

  test.each(Object.entries(STOCK_DENIED_KEYS))("%s", (key, why) => {
    expect(refused({ [key]: "anything" })).toEqual([`sparkConf key "${key}" is not allowed: ${why}`]);
    expect(refused({ [` ${key}\t`]: "anything" })).toEqual([`sparkConf key "${key}" is not allowed: ${why}`]);
    // An open folder does not allow a key of stock's list.
    expect(refused({ [key]: "/opt/files/a" }, "/opt/files")).toHaveLength(1);
  });

  test("another namespace than the application's", () => {
    expect(refused({ "spark.kubernetes.namespace": "kube-system" })).toEqual([
      'sparkConf key "spark.kubernetes.namespace" is not allowed: must equal the application namespace "jobs", got "kube-system"',
    ]);
    expect(refused({ "spark.kubernetes.namespace": "jobs" })).toEqual([]);
  });
});

// An author of an application may not use the operator's files, its cluster or its credentials.
describe("what is denied besides", () => {
  test.each([
    "spark.kubernetes.context",
    "spark.kubernetes.authenticate.submission.oauthToken",
    "spark.kubernetes.authenticate.submission.oauthTokenFile",
    "spark.kubernetes.authenticate.submission.caCertFile",
    "spark.kubernetes.authenticate.submission.clientCertFile",
    "spark.kubernetes.authenticate.submission.clientKeyFile",
    "spark.kindling.steps",
    "spark.kindling.installation",
    "spark.kindling.staging.uri",
    "spark.kindling.staging.caFile",
    "spark.kindling.staging.tokenFile",
    "spark.kindling.staging.clientCertFile",
    "spark.kindling.staging.clientKeyFile",
    "spark.kindling.staging.serviceAccount",
    "spark.kindling.packages.resolve",
    "spark.kindling.submit.exitCode",
    "spark.kindling.driver.restart",
    "spark.kindling.scheduler.uri",
    "spark.kindling.scheduler.audience",
    "spark.kindling.scheduler.caFile",
    "spark.kindling.scheduler.caConfigMap",
    "spark.kindling.scheduler.pageUri",
    "spark.kindling.what.comes.later",
  ])("%s, whatever its value and whatever is open", (key) => {
    const fault = expect.stringMatching(`^sparkConf key "${key}" is not allowed: .`);
    for (const value of ["", "anything", "local:///a", "/opt/files/a"]) {
      expect(refused({ [key]: value }, "/opt/files"), value).toEqual([fault]);
    }
  });

  test.each([
    "spark.kubernetes.driver.podTemplateFile",
    "spark.kubernetes.executor.podTemplateFile",
    "spark.kubernetes.kerberos.krb5.path",
    "spark.kerberos.keytab",
    "spark.yarn.keytab",
    "spark.kubernetes.authenticate.driver.caCertFile",
    "spark.kubernetes.authenticate.driver.clientCertFile",
    "spark.kubernetes.authenticate.driver.clientKeyFile",
  ])("%s, but for a file of the open folder", (key) => {
    const fault = expect.stringMatching(
      `^sparkConf key "${key}" is not allowed: no file of the operator is read for an application; .`,
    );
    for (const value of ["/etc/a", "file:///etc/a", "a", "s3a://bucket/a", "/opt/files/../../etc/a", "${env:A}"]) {
      expect(refused({ [key]: value }), value).toEqual([fault]);
      expect(refused({ [key]: value }, "/opt/files"), value).toEqual([fault]);
    }
    expect(refused({ [key]: "/opt/files/a" })).toEqual([fault]);
    expect(refused({ [key]: "/opt/files/a" }, "/opt/files")).toEqual([]);
  });

  test.each(["spark.jars", "spark.files", "spark.archives", "spark.submit.pyFiles"])(
    "files of the operator in %s",
    (key) => {
      const fault = expect.stringMatching(`^sparkConf key "${key}" is not allowed: no file of the operator is read`);
      for (const file of ["/etc/a", "file:/etc/a", "a.jar", "${env:A}"]) {
        expect(refused({ [key]: file }), file).toEqual([fault]);
        expect(refused({ [key]: `s3a://bucket/b, ${file}` }), file).toEqual([fault]);
      }
      expect(refused({ [key]: "local:///a,s3a://bucket/b,,https://host/c#d" })).toEqual([]);
      expect(refused({ [key]: "local:///a,/opt/files/b" }, "/opt/files")).toEqual([]);
    },
  );

  test("an upload of a file to the operator's own disk, also to the open folder", () => {
    const key = "spark.kubernetes.file.upload.path";
    const fault = expect.stringMatching(`^sparkConf key "${key}" is not allowed`);
    for (const path of ["/tmp", "file:///tmp", "/opt/files/up", "up"]) {
      const sparkConf = { [key]: path, "spark.files": "/opt/files/a" };
      expect(refused(sparkConf, "/opt/files"), path).toEqual([fault]);
      expect(refused({ [key]: path }, "/opt/files"), path).toEqual([]);
    }
    expect(refused({ [key]: "s3a://bucket/up", "spark.files": "/opt/files/a" }, "/opt/files")).toEqual([]);
  });

  test("a template for Volcano that its step would read", () => {
    const key = "spark.kubernetes.scheduler.volcano.podGroupTemplateFile";
    const steps = {
      "spark.kubernetes.driver.pod.featureSteps": "org.apache.spark.deploy.k8s.features.VolcanoFeatureStep",
    };
    const fault = expect.stringMatching(`^sparkConf key "${key}" is not allowed`);
    expect(refused({ [key]: "/etc/a", ...steps })).toEqual([fault]);
    expect(refused({ [key]: "/etc/a" })).toEqual([]);
  });

  test("no value of a key is shown, which may be a secret", () => {
    const [fault] = refused({ "spark.kubernetes.authenticate.submission.oauthToken": "swordfish" });
    expect(fault).not.toContain("swordfish");
  });
});

test.each([
  ["spark.kindling.sparkVersion", "3.5.6"],
  ["spark.kindling.localizer.memory", "512Mi"],
  ["spark.kindling.localizer.credentialsSecret", "keys"],
  ["spark.kindling.scheduler", "gateway"],
  ["spark.kindling.scheduler.queue", "a"],
  ["spark.kindling.scheduler.priority", "1"],
  ["spark.kindling.scheduler.minExecutors", "2"],
  ["spark.kindling.scheduler.gate", "false"],
  ["spark.kindling.scheduler.earlyStart", "false"],
  ["spark.kindling.scheduler.executorSteps", "template"],
  ["spark.kerberos.keytab", "local:///etc/security/app.keytab"],
  ["spark.kubernetes.authenticate.driver.mounted.caCertFile", "/mnt/ca.crt"],
  ["spark.kubernetes.authenticate.driver.mounted.oauthTokenFile", "/mnt/token"],
  ["spark.kubernetes.kerberos.krb5.configMapName", "krb5"],
  ["spark.kubernetes.submission.waitAppCompletion", "true"],
  ["spark.kubernetes.driver.pod.name", "x"],
  ["spark.kubernetes.container.image.pullPolicy", "Always"],
  ["spark.jars.packages", "a:b:1"],
  ["spark.executor.extraClassPath", "/opt/a.jar"],
])("%s may be set", (key, value) => {
  expect(refused({ [key]: value })).toEqual([]);
});

test("all denied keys are told, in their order", () => {
  const sparkConf = { "spark.master": "local", "spark.kubernetes.context": "x", "spark.jars": "a.jar" };
  expect(refused(sparkConf)).toEqual([
    expect.stringContaining('"spark.jars"'),
    expect.stringContaining('"spark.kubernetes.context"'),
    expect.stringContaining('"spark.master"'),
  ]);
});
