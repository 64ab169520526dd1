import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { examples } from "../clusters/kubeflow-operator.ts";
import { OperatedApplications, type OperatedApplication } from "../clusters/operated-applications.ts";
import { KUBEFLOW_RELEASE, NO_OPERATOR, startOperator } from "../clusters/operator.ts";
import { eventually, TestNamespace } from "../clusters/test-cluster.ts";

// SparkPi with thousands of tasks, on a small machine.
const LIMIT_MS = 420_000;

/**
 * The examples that need only the image `apache/spark:4.0.4` with Spark's examples, and only Kubernetes' own scheduler. Pods
 * of the three others wait for Volcano, YuniKorn and the scheduler plugins, no matter which operator created them.
 */
const EXAMPLES = [
  "spark-pi.yaml",
  "spark-pi-pod-template.yaml",
  "spark-pi-configmap.yaml",
  "spark-pi-custom-resource.yaml",
  "spark-pi-dynamic-allocation.yaml",
  "spark-pi-emptydir.yaml",
  "spark-pi-prometheus-servlet.yaml",
  "spark-pi-python.yaml",
];

const missing = KUBEFLOW_RELEASE === undefined ? "KINDLING_E2E_KUBEFLOW_RELEASE names no operator" : NO_OPERATOR;
const why = missing === undefined ? "" : ` (${missing})`;

describe.skipIf(missing !== undefined)(`examples of kubeflow's operator${why}`, { timeout: LIMIT_MS }, () => {
  let namespace: TestNamespace;
  let applications: OperatedApplications;
  const ends: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    namespace = await TestNamespace.create("operator-examples");
    ends.push(() => namespace.remove());
    await namespace.apply(EXPECTED);
    const operator = await startOperator(namespace);
    ends.unshift(() => operator.stop());
    applications = await OperatedApplications.watch(namespace);
    ends.unshift(() => applications.stop());
  }, LIMIT_MS);
  afterAll(async () => {
    for (const end of ends) await end();
  }, LIMIT_MS);

  /** @returns the name of the application for the operator */
  async function apply(file: string): Promise<string> {
    const objects = examples(namespace.name, KUBEFLOW_RELEASE).get(file) ?? [];
    for (const object of objects) {
      const type = await namespace.client.resourceFor(object.apiVersion ?? "", object.kind ?? "");
      await namespace.client.apply(type, object, { fieldManager: "kubectl", force: true });
    }
    const served = objects.filter(({ kind }) => kind?.endsWith("SparkApplication"));
    onTestFinished(() => namespace.delete(served));
    return served[0]?.metadata?.name ?? "";
  }

  /** The result of an application with its driver's log, or with its events if it failed. */
  async function endOf(name: string): Promise<readonly [state: string | undefined, lines: readonly string[]]> {
    const { status } = await applications.untilEnded(name, LIMIT_MS);
    const state = status?.applicationState?.state;
    return [
      state,
      state === "COMPLETED" ? await applications.log(name) : [JSON.stringify(await applications.events(name))],
    ];
  }

  const COMPLETED = ["COMPLETED", expect.arrayContaining([expect.stringMatching(PI)])];

  test.each(EXAMPLES)("%s runs to its end", async (file) => {
    expect(await endOf(await apply(file))).toEqual(COMPLETED);
  });

  test("spark-pi-ttl.yaml runs, and goes when its time is over", async () => {
    const name = await apply("spark-pi-ttl.yaml");
    expect(await endOf(name)).toEqual(COMPLETED);
    await eventually("its end", async () => (await applications.find(name)) === undefined);
  });

  test("spark-pi-scheduled.yaml runs when it is time", async () => {
    const name = await apply("spark-pi-scheduled.yaml");
    const run = await eventually(
      "its first run",
      async (): Promise<OperatedApplication | undefined> => {
        const all = await applications.all();
        return all.find(({ metadata }) => metadata?.name?.startsWith(`${name}-`));
      },
      LIMIT_MS,
    );
    expect(await endOf(run.metadata?.name ?? "")).toEqual(COMPLETED);
  });
});

const PI = /^Pi is roughly 3\.1/;
// What the examples need: the account that the chart creates for a release named `spark-operator`, and a ConfigMap.
const EXPECTED = `
apiVersion: v1
kind: ConfigMap
metadata: {name: test-configmap}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: spark-operator-spark}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: spark-operator-spark}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: spark}
subjects: [{kind: ServiceAccount, name: spark-operator-spark}]
`;
