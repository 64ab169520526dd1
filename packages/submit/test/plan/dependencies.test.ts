import { describe, expect, test } from "vitest";
import type { Step } from "@kindling/core-spec";
import { plan, fillBundle, type SubmissionPlan } from "../../src/index.ts";
import { planDependencies, type DependencyPlan } from "../../src/plan/dependencies.ts";
import { localFiles } from "../../src/plan/files/gathered-files.ts";
import { planInput } from "../fixtures/plan-input.ts";
import { caughtFrom } from "@kindling/test-kit/caught";

const FILES = { "/home/me/app.jar": "0123456789", "/home/me/data.csv": "a,b", "/home/me/env.tgz": "x" };
const SMALL = { "spark.kindling.staging.smallFiles": "true" };
const STAGING = { "spark.kindling.staging.uri": "http://staging", "spark.kindling.localizer.image": "localizer:1" };
const BUNDLE = { id: "b", secret: "s", files: {} };

function dependenciesOf(entries: Readonly<Record<string, string>>): DependencyPlan {
  const input = planInput(entries, FILES);
  return planDependencies(input, localFiles(input.files, "this-machine", input.sparkVersion));
}

describe("how dependencies travel", () => {
  const local = { "spark.jars": "/home/me/app.jar" };

  test.each([
    ["as Spark has it, by default", local, "upload-path"],
    [
      "to the upload path, if there is one",
      { ...local, ...SMALL, "spark.kubernetes.file.upload.path": "s3a://b" },
      "upload-path",
    ],
    ["in a Secret, if that is allowed", { ...local, ...SMALL }, "secret"],
    ["over the staging server, if there is one", { ...local, ...STAGING }, "localizer"],
    [
      "over the staging server, by its old name",
      { ...local, "spark.kubernetes.resourceStagingServer.uri": "http://s" },
      "localizer",
    ],
    ["not at all, if there are none", { ...STAGING, "spark.jars": "local:///a.jar,https://host/b.jar" }, "upload-path"],
    [
      "by the localizer, if remote ones are its business",
      { "spark.kindling.localizer.schemes": "https", "spark.jars": "https://host/b.jar" },
      "localizer",
    ],
  ])("%s", (_how, entries, kind) => {
    expect(dependenciesOf(entries).kind).toBe(kind);
  });

  test("what is too large for a Secret is named, each file with what it is", () => {
    const entries = {
      ...local,
      ...SMALL,
      "spark.files": "/home/me/data.csv",
      "spark.kindling.staging.smallFiles.maxSize": "12b",
    };
    const error = caughtFrom(() => dependenciesOf(entries));
    expect(error.message).toBe(
      "13 bytes of this machine's files are too much for a Secret (12): /home/me/app.jar (jar, 10 bytes), /home/me/data.csv (file, 3 bytes)",
    );
    expect(error.hint).toContain("spark.kindling.staging.uri");
  });

  test("an archive needs the localizer", () => {
    const entries = { ...SMALL, "spark.archives": "/home/me/env.tgz#env" };
    expect(caughtFrom(() => dependenciesOf(entries)).message).toContain("env.tgz");
  });

  test("a scheme that the localizer cannot fetch is refused", () => {
    const error = caughtFrom(() => dependenciesOf({ "spark.kindling.localizer.schemes": "gs" }));
    expect(error).toMatchObject({ code: "CONF_INVALID", hint: expect.stringContaining("s3a") });
  });
});

describe("native executors", () => {
  const label: Step = {
    name: "team-label",
    configureExecutor(spec) {
      const { metadata } = spec.executorPod;
      const labels = { ...metadata?.labels, team: "search" };
      return { ...spec, executorPod: { ...spec.executorPod, metadata: { ...metadata, labels } } };
    },
  };
  const planned = (entries: Record<string, string>, files: Record<string, string>, ...steps: Step[]): SubmissionPlan =>
    plan(planInput(entries, { ...FILES, ...files }), steps);

  /** The template from which the driver will make its executors. */
  function templateOf({ objects }: SubmissionPlan): unknown {
    const configMap = objects.resources.find(({ metadata }) => metadata.name.endsWith("-podspec-conf-map"));
    const text = (configMap as { data?: Record<string, string> } | undefined)?.data?.["podspec-configmap-key"];
    return text === undefined ? undefined : JSON.parse(text);
  }

  test("get what contributed steps add, by a template", () => {
    expect(templateOf(planned({}, {}, label))).toEqual({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { labels: { team: "search" } },
      spec: { containers: [{}] },
    });
  });

  test("get it on top of the user's own template", () => {
    const entries = {
      "spark.kubernetes.executor.podTemplateFile": "/home/me/executor.json",
      "spark.kubernetes.executor.podTemplateContainerName": "spark",
    };
    const template = {
      kind: "Pod",
      metadata: { labels: { tier: "batch" } },
      spec: { nodeName: "n", containers: [{ name: "side" }, { name: "spark", env: [{ name: "A", value: "b" }] }] },
    };
    const files = { "/home/me/executor.json": JSON.stringify(template) };
    expect(templateOf(planned(entries, files, label))).toMatchObject({
      metadata: { labels: { tier: "batch", team: "search" } },
      spec: { nodeName: "n", containers: [{ name: "spark", env: [{ name: "A", value: "b" }] }, { name: "side" }] },
    });
  });

  test("keep the user's template as it is where no step adds anything", () => {
    const files = { "/home/me/executor.json": '{"spec": {}}' };
    const entries = { "spark.kubernetes.executor.podTemplateFile": "/home/me/executor.json" };
    const { objects } = planned(entries, files, { name: "driver-only", configureDriver: (spec) => spec });
    const configMap = objects.resources.find(({ metadata }) => metadata.name.endsWith("-podspec-conf-map"));
    expect(configMap).toMatchObject({ data: { "podspec-configmap-key": '{"spec": {}}' } });
  });

  test("get the localizer, and the application's own file stays the driver's", () => {
    const unfilled = planned({ ...STAGING, "spark.files": "/home/me/data.csv" }, {});
    expect(unfilled.staging?.files.map(({ name }) => name)).toEqual(["files/data.csv"]);
    const filled = fillBundle(unfilled, { ...BUNDLE, id: "committed" });
    expect(templateOf(filled)).toMatchObject({
      spec: { initContainers: [{ name: "spark-localizer", image: "localizer:1" }] },
    });
    const secret = filled.objects.preResources[0] as { data?: Record<string, string> } | undefined;
    expect(Buffer.from(secret?.data?.["executor.json"] ?? "", "base64").toString()).toContain('"id":"committed"');
  });

  test.each<[string, Step["configureExecutor"]]>([
    [
      "differs by executor",
      (spec, { executorId }) => ({
        ...spec,
        executorPod: { ...spec.executorPod, metadata: { labels: { id: executorId } } },
      }),
    ],
    [
      "adds an object beside the pod",
      (spec) => ({
        ...spec,
        executorKubernetesResources: [{ apiVersion: "v1", kind: "Secret", metadata: { name: "x" } }],
      }),
    ],
  ])("cannot have what %s", (_what, configureExecutor) => {
    const error = caughtFrom(() => planned({}, {}, { name: "odd", ...(configureExecutor && { configureExecutor }) }));
    expect(error).toMatchObject({ code: "STEP_FAILED", message: expect.stringContaining("odd") });
  });
});
