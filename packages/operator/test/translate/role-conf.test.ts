import { describe, expect, it } from "vitest";
import { confOf, SUBMISSION_ID } from "./an-application.ts";

const LABELS = "label.sparkoperator.k8s.io";

it("labels both roles, so that the operator finds its pods", () => {
  const conf = confOf();
  for (const role of ["driver", "executor"]) {
    expect(conf).toMatchObject({
      [`spark.kubernetes.${role}.${LABELS}/app-name`]: "pi",
      [`spark.kubernetes.${role}.${LABELS}/launched-by-spark-operator`]: "true",
      [`spark.kubernetes.${role}.${LABELS}/submission-id`]: SUBMISSION_ID,
    });
  }
});

describe("the label of stock's webhook", () => {
  const key = `spark.kubernetes.driver.${LABELS}/mutated-by-spark-operator`;
  const template = {};

  it.each([
    ["without a template", {}, "4.0.4", "true"],
    ["not with one", { template }, "4.0.4", undefined],
    ["with one of a Spark that has no templates", { template }, "2.4.8", "true"],
    ["with one of what is no version", { template }, "latest", "true"],
  ])("is there %s", (_, driver, sparkVersion, wanted) => {
    expect(confOf({ driver, spec: { sparkVersion } })[key]).toBe(wanted);
  });
});

it("leaves out what Kueue says to the operator", () => {
  const labels = { "kueue.x-k8s.io/queue-name": "q", team: "a" };
  const conf = confOf({ metadata: { labels }, executor: { labels } });
  expect(conf["spark.kubernetes.driver.label.kueue.x-k8s.io/queue-name"]).toBeUndefined();
  // The role's own labels are for its pods.
  expect(conf["spark.kubernetes.executor.label.kueue.x-k8s.io/queue-name"]).toBe("q");
});

it("takes a role's image, or else the application's", () => {
  const conf = confOf({ spec: { image: "spark:4" }, driver: { image: "own" }, executor: { image: "" } });
  expect(conf).toMatchObject({
    "spark.kubernetes.driver.container.image": "own",
    "spark.kubernetes.executor.container.image": "spark:4",
  });
});

it("tells Spark the resources, the account and the Java options of a role", () => {
  const both = {
    cores: 2,
    coreRequest: "500m",
    coreLimit: "2",
    memory: "2g",
    memoryOverhead: "1g",
    serviceAccount: "spark",
    javaOptions: "-Da=b",
  };
  const conf = confOf({ driver: both, executor: { ...both, instances: 3, deleteOnTermination: false } });
  for (const role of ["driver", "executor"]) {
    expect(conf).toMatchObject({
      [`spark.${role}.cores`]: "2",
      [`spark.kubernetes.${role}.request.cores`]: "500m",
      [`spark.kubernetes.${role}.limit.cores`]: "2",
      [`spark.${role}.memory`]: "2g",
      [`spark.${role}.memoryOverhead`]: "1g",
      [`spark.kubernetes.authenticate.${role}.serviceAccountName`]: "spark",
      [`spark.${role}.extraJavaOptions`]: "-Da=b",
    });
  }
  expect(conf["spark.executor.instances"]).toBe("3");
  expect(conf["spark.kubernetes.executor.deleteOnTermination"]).toBe("false");
});

it("tells the driver of its master and of its service", () => {
  const driver = {
    kubernetesMaster: "k8s://https://10.0.0.1",
    serviceLabels: { a: "b" },
    serviceAnnotations: { c: "d" },
    annotations: { e: "f" },
  };
  expect(confOf({ driver })).toMatchObject({
    "spark.kubernetes.driver.master": "k8s://https://10.0.0.1",
    "spark.kubernetes.driver.service.label.a": "b",
    "spark.kubernetes.driver.service.annotation.c": "d",
    "spark.kubernetes.driver.annotation.e": "f",
  });
});

describe("secrets", () => {
  it.each([
    ["GCPServiceAccount", "GOOGLE_APPLICATION_CREDENTIALS", "/etc/key/key.json"],
    ["HadoopDelegationToken", "HADOOP_TOKEN_FILE_LOCATION", "/etc/key/hadoop.token"],
  ])("of kind %s say where their file is", (secretType, variable, file) => {
    const secrets = [{ name: "key", path: "/etc/key/", secretType }];
    expect(confOf({ driver: { secrets }, executor: { secrets } })).toMatchObject({
      "spark.kubernetes.driver.secrets.key": "/etc/key/",
      [`spark.kubernetes.driverEnv.${variable}`]: file,
      "spark.kubernetes.executor.secrets.key": "/etc/key/",
      [`spark.executorEnv.${variable}`]: file,
    });
  });

  it.each(["Generic", "Other", "", "constructor", "__proto__"])("of other kinds are mounted only: %j", (secretType) => {
    const secrets = [{ name: "key", path: "/etc/key", secretType }];
    const conf = confOf({ driver: { secrets }, executor: { secrets } });
    expect(conf).toMatchObject({
      "spark.kubernetes.driver.secrets.key": "/etc/key",
      "spark.kubernetes.executor.secrets.key": "/etc/key",
    });
    expect(Object.keys(conf).filter((key) => /^spark\.(kubernetes\.driver|executor)Env\./.test(key))).toEqual([]);
  });

  it("are read into variables by key", () => {
    const envSecretKeyRefs = { TOKEN: { name: "keys", key: "token" } };
    expect(confOf({ driver: { envSecretKeyRefs }, executor: { envSecretKeyRefs } })).toMatchObject({
      "spark.kubernetes.driver.secretKeyRef.TOKEN": "keys:token",
      "spark.kubernetes.executor.secretKeyRef.TOKEN": "keys:token",
    });
  });
});
