import { describe, expect, test } from "vitest";
import { confKey, confType, type KubernetesDriverSpec, type Step } from "../../src/index.ts";
import { examineStep, sampleSubmission } from "../../src/testing/index.ts";

const TEAM = confKey({ key: "spark.kindling.team", type: confType.text, default: "none", readBy: ["submit"], doc: "" });

const good: Step = {
  name: "cost-label",
  keys: [TEAM],
  configureDriver: (spec, { conf }) => ({
    ...spec,
    driverPod: {
      ...spec.driverPod,
      metadata: {
        ...spec.driverPod.metadata,
        annotations: { ...spec.driverPod.metadata?.annotations, team: conf.get(TEAM) },
      },
    },
  }),
};

let runs = 0;

const withDriver = (configureDriver: NonNullable<Step["configureDriver"]>): Step => ({ name: "bad", configureDriver });

describe("examineStep", () => {
  test("holds a step to the files that it names", () => {
    const submissions = [sampleSubmission({ files: { "/a/one.txt": "1", "/a/two.txt": "2" } })];
    const reading: Step = {
      name: "reading",
      configureDriver: (spec, { files }) => ({
        ...spec,
        driverSparkConf: { ...spec.driverSparkConf, one: files.readText("/a/one.txt") ?? "" },
      }),
    };
    const unnamed = ["driver: it reads /a/one.txt without naming it in `localFiles`"];
    expect(examineStep(reading, { submissions })).toEqual(unnamed);
    expect(examineStep({ ...reading, localFiles: () => ["/a/two.txt"] }, { submissions })).toEqual(unnamed);
    expect(examineStep({ ...reading, localFiles: () => ["/a/one.txt"] }, { submissions })).toEqual([]);
    expect(examineStep({ ...reading, localFiles: () => ["/a"] }, { submissions })).toEqual([]);
  });

  test("has nothing to say of a good step", () => {
    expect(examineStep(good)).toEqual([]);
  });

  test.each<[string, Step, RegExp]>([
    [
      "changes its argument",
      withDriver((spec) => Object.assign(spec, { driverSparkConf: {} })),
      /changes the spec that it was given/,
    ],
    [
      "drops something",
      withDriver((spec) => ({ ...spec, driverContainer: { name: "" } })),
      /driverContainer\.image was there before and is removed/,
    ],
    [
      "alters something",
      withDriver((spec) => ({ ...spec, driverContainer: { ...spec.driverContainer, image: "mine" } })),
      /driverContainer\.image was there before and is changed/,
    ],
    [
      "rolls dice",
      withDriver((spec) => ({ ...spec, driverSparkConf: { ...spec.driverSparkConf, x: String(runs++) } })),
      /two runs on the same input differ/,
    ],
    [
      "returns a date",
      withDriver(
        (spec) =>
          ({
            ...spec,
            driverSparkConf: { ...spec.driverSparkConf, x: new Date(0) },
          }) as unknown as KubernetesDriverSpec,
      ),
      /no plain data/,
    ],
    [
      "reads an undeclared key",
      withDriver((spec, { conf }) => ({ ...spec, driverSparkConf: { ...spec.driverSparkConf, y: conf.get(TEAM) } })),
      /reads spark\.kindling\.team without declaring it/,
    ],
    [
      "throws",
      withDriver(() => {
        throw new Error("oops");
      }),
      /it throws: oops/,
    ],
    ["does nothing", { name: "idle" }, /neither drivers nor executors/],
    ["has a bad name", { ...good, name: "Cost Label" }, /kebab-case/],
  ])("finds a step that %s", (_, step, problem) => {
    expect(examineStep(step)).toEqual(expect.arrayContaining([expect.stringMatching(problem)]));
  });
});
