import { isKindlingError } from "@kindling/core-spec";
import { examineStep, sampleSubmission } from "@kindling/core-spec/testing";
import { driverPodWith, executorPodWith, type PodOptions } from "@kindling/steps/testing";
import { describe, expect, test } from "vitest";
import labels from "../src/index.ts";

const FILE = "/etc/kindling/labels.yaml";
const POLICY = `labels:
  cost-center:
    required: true
    pattern: "[0-9]{4}"
  example.com/team:
    required: true
    values: [search, ads]
  stage:
    values: [dev, test]
    default: dev
    namespaces:
      prod-*: { values: [prod], default: prod }
`;
const KEY = "spark.kindling.label";
const GOOD = { [`${KEY}.cost-center`]: "0042", [`${KEY}.example.com/team`]: "search" };

/** A submission with the policy. */
const ruled = (conf: Readonly<Record<string, string>>, policy: string = POLICY): PodOptions => ({
  conf: { "spark.kindling.labels.policy": FILE, ...conf },
  files: { [FILE]: policy },
});

function refusal(options: PodOptions): { code: string; message: string; hint: string | undefined } {
  try {
    driverPodWith(labels, options);
  } catch (error) {
    if (isKindlingError(error)) return { code: error.code, message: error.message, hint: error.hint };
    throw error;
  }
  throw new Error("it was not refused");
}

test("it is pure, additive and deterministic, and declares what it reads", () => {
  const submissions = [sampleSubmission(), sampleSubmission(ruled(GOOD))];
  expect(examineStep(labels, { submissions })).toEqual([]);
});

describe.each(["3.5.9", "4.3.0"])("with Spark %s", (sparkVersion) => {
  test.each(["driver", "gateway"] as const)(
    "driver and executors have what was given; executors by the %s",
    (executorsBy) => {
      const options = { sparkVersion, executorsBy, ...ruled(GOOD) };
      const wanted = { "cost-center": "0042", "example.com/team": "search", stage: "dev" };
      expect(driverPodWith(labels, options).pod.metadata?.labels).toMatchObject(wanted);
      expect(executorPodWith(labels, options).pod.metadata?.labels).toMatchObject(wanted);
    },
  );
});

test("Spark's own keys count as well, and executors get what the driver has", () => {
  const options = ruled({
    "spark.kubernetes.driver.label.cost-center": "0042",
    "spark.kubernetes.driver.label.example.com/team": "ads",
    "spark.kubernetes.executor.label.example.com/team": "search",
  });
  expect(driverPodWith(labels, options).pod.metadata?.labels).toMatchObject({ "example.com/team": "ads" });
  const executor = executorPodWith(labels, options).pod.metadata?.labels;
  expect(executor).toMatchObject({ "example.com/team": "search", "cost-center": "0042" });
});

test("so do a pod template's labels", () => {
  const template = { metadata: { labels: { "cost-center": "0042" } }, spec: {} };
  const options = { ...ruled({ [`${KEY}.example.com/team`]: "ads" }), template };
  expect(driverPodWith(labels, options).pod.metadata?.labels).toMatchObject({ "cost-center": "0042" });
  const template2 = { metadata: { labels: { "cost-center": "four" } }, spec: {} };
  expect(refusal({ ...options, template: template2 }).message).toContain('the driver\'s pod template: "four"');
});

test("rules follow the namespace", () => {
  const conf = { ...GOOD, "spark.kubernetes.namespace": "prod-etl" };
  const submission = { ...sampleSubmission(ruled(conf)), namespace: "prod-etl" };
  const empty = { driverPod: { apiVersion: "v1", kind: "Pod" } as const, driverContainer: { name: "" } };
  const lists = { otherKubernetesResources: [], preKubernetesResources: [], driverSparkConf: {} };
  const spec = labels.configureDriver?.({ ...empty, ...lists }, submission);
  expect(spec?.driverPod.metadata?.labels).toMatchObject({ stage: "prod" });
  expect(spec?.driverSparkConf).toMatchObject({ "spark.kubernetes.executor.label.stage": "prod" });
});

test("without a policy, labels are given all the same", () => {
  const conf = { [`${KEY}.team`]: "ads" };
  expect(executorPodWith(labels, { conf }).pod.metadata?.labels).toMatchObject({ team: "ads" });
  expect(driverPodWith(labels)).toEqual(driverPodWith([]));
});

describe("a submission that breaks the policy is refused", () => {
  test("with key, file and line of what is missing, all at once", () => {
    expect(refusal(ruled({}))).toEqual({
      code: "CONF_MISSING",
      message: `${KEY}.cost-center is not set, and label cost-center is required (${FILE}, line 2); ${KEY}.example.com/team is not set, and label example.com/team is required (${FILE}, line 5)`,
      hint: `--conf ${KEY}.cost-center=<what matches [0-9]{4}> --conf ${KEY}.example.com/team=search|ads`,
    });
  });

  test.each([
    [`${KEY}.cost-center`, "12345", "line 2"],
    [`${KEY}.example.com/team`, "sales", "line 5"],
    ["spark.kubernetes.executor.label.stage", "prod", "line 8"],
  ])("with key, file and line of what is not allowed: %s=%s", (key, value, line) => {
    const { code, message } = refusal(ruled({ ...GOOD, [key]: value }));
    expect(code).toBe("CONF_INVALID");
    expect(message).toContain(`${key}: "${value}" is not allowed for label`);
    expect(message).toContain(`(${FILE}, ${line})`);
  });

  test("with both keys where they differ", () => {
    const { code, message } = refusal(ruled({ ...GOOD, "spark.kubernetes.driver.label.cost-center": "0001" }));
    expect(code).toBe("CONF_CONFLICT");
    expect(message).toContain("spark.kubernetes.driver.label.cost-center");
  });

  test("with what Kubernetes would refuse", () => {
    expect(refusal({ conf: { [`${KEY}.team`]: "a b" } }).message).toContain(
      `${KEY}.team: "a b" is no value of a label`,
    );
  });
});

describe("a policy that cannot be read is an error with its line", () => {
  test.each([
    ["labels:\n  team: { requierd: true }\n", 'line 2: team has no field "requierd"; did you mean required?'],
    ["labels:\n  team:\n    pattern: '['\n", 'line 3: "[" is no regular expression'],
    ["labels:\n  team: { values: search }\n", "line 2: values is no list"],
    ["labels:\n  a b: {}\n", 'line 2: "a b" is no name of a label'],
    ["labels:\n  team: { required: 1 }\n", "line 2: required is neither true nor false"],
    ["labels: {}\nrules: {}\n", "line 2: a policy has one field, labels"],
    ["labels:\n  team: [\n", "line 3: "],
    ["", "line 1: the policy is no object"],
    ["labels:\n  stage: { namespaces: { a: { namespaces: {} } } }\n", "line 2: stage in a has no field"],
  ])("%j", (policy, problem) => {
    const { code, message } = refusal(ruled({}, policy));
    expect(code).toBe("FILE_UNPARSABLE");
    expect(message).toContain(`spark.kindling.labels.policy: ${FILE}, ${problem}`);
  });

  test("JSON is read as well", () => {
    const policy = JSON.stringify({ labels: { team: { default: "ads" } } });
    expect(driverPodWith(labels, ruled({}, policy)).pod.metadata?.labels).toMatchObject({ team: "ads" });
  });
});
