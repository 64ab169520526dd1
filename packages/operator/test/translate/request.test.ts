import { describe, expect, it } from "vitest";
import { toRequest } from "../../src/translate/request.ts";
import { SUBMISSION_ID, translated } from "./an-application.ts";

type Parts = Parameters<typeof translated>[0];

function requestOf(parts: Parts = {}): ReturnType<typeof toRequest> {
  return toRequest(translated(parts), { submissionId: SUBMISSION_ID, steps: [] });
}

it("asks for what is to be run, under names that begin with the application's", () => {
  expect(requestOf({ spec: { mainClass: "Main", arguments: ["1"], proxyUser: "ada" } })).toMatchObject({
    application: { resource: "local:///opt/app.jar", mainClass: "Main", arguments: ["1"] },
    name: "pi",
    namespace: "team",
    submissionId: SUBMISSION_ID,
    resourceNamePrefix: "pi",
    proxyUser: "ada",
  });
});

it("has of each key the value that wins", () => {
  const { conf } = requestOf({ spec: { sparkConf: { "spark.driver.memory": "1g" } }, driver: { memory: "2g" } });
  expect(conf).toMatchObject({ "spark.driver.memory": "2g", "spark.kubernetes.driver.pod.name": "pi-driver" });
});

describe("the version of Spark", () => {
  it.each([
    ["is the application's", { sparkVersion: "3.5.6" }, "3.5.6"],
    ["is sparkConf's, if it has one", { sparkConf: { "spark.kindling.sparkVersion": "4.1.0" } }, undefined],
    ["is not asked for if it is none", { sparkVersion: "latest" }, undefined],
  ])("%s", (_, spec, wanted) => {
    expect(requestOf({ spec }).sparkVersion).toBe(wanted);
  });
});

describe("packages", () => {
  const key = "spark.kindling.packages.resolve";

  it("are resolved by the driver, unless sparkConf says else", () => {
    expect(requestOf().conf?.[key]).toBe("driver");
    expect(requestOf({ spec: { sparkConf: { [key]: "submitter" } } }).conf?.[key]).toBe("submitter");
  });

  it("beat those of sparkConf", () => {
    const sparkConf = { "spark.jars.packages": "g:conf:1", "spark.jars.excludes": "g:kept" };
    expect(requestOf({ spec: { sparkConf, deps: { packages: ["g:a:1", "g:b:1"] } } }).conf).toMatchObject({
      "spark.jars.packages": "g:a:1,g:b:1",
      "spark.jars.excludes": "g:kept",
    });
  });
});

it("has lists of files only where there are any, so that those of sparkConf count", () => {
  expect(requestOf()).not.toHaveProperty("jars");
  const deps = { jars: ["a.jar"], files: ["a.txt"], pyFiles: ["a.py"], archives: ["a.zip"] };
  expect(requestOf({ spec: { deps } })).toMatchObject(deps);
});

it("has the templates as pods, with Spark's container by name", () => {
  const template = { spec: { containers: [{ name: "spark-kubernetes-executor" }] } };
  const request = requestOf({ executor: { template } });
  expect(request.executorTemplate).toEqual(template);
  expect(request.driverTemplate).toMatchObject({ metadata: { ownerReferences: [{ kind: "SparkApplication" }] } });
  expect(request.conf).toMatchObject({
    "spark.kubernetes.driver.podTemplateContainerName": "spark-kubernetes-driver",
    "spark.kubernetes.executor.podTemplateContainerName": "spark-kubernetes-executor",
  });
  expect(requestOf()).not.toHaveProperty("executorTemplate");
});
