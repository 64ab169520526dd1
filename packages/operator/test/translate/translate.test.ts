import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { translate } from "../../src/translate/translate.ts";
import { anApplication, confOf, SUBMISSION_ID, translated } from "./an-application.ts";

describe("fields of the application", () => {
  it("become keys that say the same", () => {
    expect(
      confOf({
        spec: {
          image: "spark:4",
          imagePullPolicy: "Always",
          imagePullSecrets: ["one", "two"],
          pythonVersion: "3",
          memoryOverheadFactor: "0.2",
          hadoopConf: { "fs.s3a.endpoint": "s3.example.com" },
          nodeSelector: { zone: "a" },
        },
      }),
    ).toMatchObject({
      "spark.kubernetes.namespace": "team",
      "spark.kubernetes.container.image": "spark:4",
      "spark.kubernetes.container.image.pullPolicy": "Always",
      "spark.kubernetes.container.image.pullSecrets": "one,two",
      "spark.kubernetes.pyspark.pythonVersion": "3",
      "spark.kubernetes.memoryOverheadFactor": "0.2",
      "spark.kubernetes.submission.waitAppCompletion": "false",
      "spark.hadoop.fs.s3a.endpoint": "s3.example.com",
      "spark.kubernetes.node.selector.zone": "a",
    });
  });

  it("say nothing where they are empty", () => {
    const empty = { image: "", imagePullPolicy: "", imagePullSecrets: [], pythonVersion: "", memoryOverheadFactor: "" };
    expect(translated({ spec: { ...empty, proxyUser: "" } })).toEqual(translated());
  });

  it("keep flags of their own apart", () => {
    expect(
      translated({ spec: { mainClass: "Main", proxyUser: "ada", arguments: ["1", ""], deps: { jars: ["a.jar"] } } }),
    ).toMatchObject({
      name: "pi",
      mode: "cluster",
      mainClass: "Main",
      proxyUser: "ada",
      jars: ["a.jar"],
      packages: [],
    });
  });
});

describe("of one key", () => {
  const sparkConf = (key: string, value: string) => ({ sparkConf: { [key]: value } });

  it.each([
    ["spark.kubernetes.namespace", {}],
    ["spark.kubernetes.container.image.pullPolicy", { imagePullPolicy: "Never" }],
    ["spark.kubernetes.memoryOverheadFactor", { memoryOverheadFactor: "0.2" }],
    ["spark.kubernetes.submission.waitAppCompletion", {}],
  ])("sparkConf beats what stands in front of it: %s", (key, spec) => {
    expect(confOf({ spec: { ...spec, ...sparkConf(key, "conf") } })[key]).toBe("conf");
  });

  it.each([
    ["spark.driver.memory", { driver: { memory: "2g" } }, "2g"],
    ["spark.executor.instances", { executor: { instances: 2 } }, "2"],
    ["spark.kubernetes.driverEnv.A", { driver: { envVars: { A: "b" } } }, "b"],
    ["spark.dynamicAllocation.maxExecutors", { spec: { dynamicAllocation: { enabled: true, maxExecutors: 3 } } }, "3"],
  ])("a role, node selectors and dynamic allocation beat sparkConf: %s", (key, parts, wanted) => {
    const spec = { ...("spec" in parts && parts.spec), ...sparkConf(key, "conf") };
    expect(confOf({ ...parts, spec })[key]).toBe(wanted);
  });

  it("the last label wins: of the object, then of the role", () => {
    const label = (labels: Record<string, string>, own: Record<string, string>) =>
      confOf({ metadata: { labels }, driver: { labels: own } })["spark.kubernetes.driver.label.team"];
    expect([label({ team: "a" }, {}), label({ team: "a" }, { team: "b" })]).toEqual(["a", "b"]);
  });
});

describe("the driver pod's name", () => {
  const conf = { "spark.kubernetes.driver.pod.name": "by-conf" };

  it.each([
    ["the field", { driver: { podName: "by-field" }, spec: { sparkConf: conf } }, "by-field"],
    ["sparkConf", { driver: { podName: "" }, spec: { sparkConf: conf } }, "by-conf"],
    ["the application's", {}, "pi-driver"],
  ])("is by %s", (_, parts, wanted) => {
    expect(translated(parts).driverPodName).toBe(wanted);
    expect(translated(parts).conf.filter(([key]) => key === "spark.kubernetes.driver.pod.name")).toEqual([
      ["spark.kubernetes.driver.pod.name", wanted],
    ]);
  });
});

describe("dynamic allocation", () => {
  it("tracks shuffles if nothing is said of it", () => {
    expect(confOf({ spec: { dynamicAllocation: { enabled: true, shuffleTrackingTimeout: 60_000 } } })).toMatchObject({
      "spark.dynamicAllocation.enabled": "true",
      "spark.dynamicAllocation.shuffleTracking.enabled": "true",
      "spark.dynamicAllocation.shuffleTracking.timeout": "60000",
    });
  });

  it("leaves the decision to sparkConf where it is not enabled", () => {
    const dynamicAllocation = { enabled: false, maxExecutors: 3 };
    expect(translated({ spec: { dynamicAllocation } })).toEqual(translated());
  });
});

it("gives equal applications equal translations, whatever the order of their maps", () => {
  const map = fc.dictionary(fc.string(), fc.string());
  fc.assert(
    fc.property(map, map, map, (sparkConf, labels, envVars) => {
      const [one, other] = [(all: object) => ({ ...all }), reversed].map((order) =>
        anApplication({
          spec: { sparkConf: order(sparkConf), hadoopConf: order(envVars), nodeSelector: order(labels) },
          metadata: { labels: order(labels) },
          driver: { labels: order(envVars), envVars: order(envVars) },
        }),
      );
      expect(other && translate(other, { submissionId: SUBMISSION_ID })).toEqual(
        one && translate(one, { submissionId: SUBMISSION_ID }),
      );
    }),
    { numRuns: 50 },
  );
});

function reversed(map: object): Record<string, string> {
  return Object.fromEntries(Object.entries(map).toReversed());
}
