import { type KubeObjectLike, followLogs, isNotFound, resources, type ResourceType } from "@kindling/kube";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { API_VERSION, type SparkApplicationStatus } from "@kindling/spark-application";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import {
  examples,
  installOperator,
  KUBEFLOW_OPERATOR,
  uninstallOperator,
  valuesOfDocumentation,
} from "../clusters/kubeflow-operator.ts";
import { EmptyNamespace, eventually } from "../clusters/test-cluster.ts";

// SparkPi with thousands of tasks, on a small machine.
const LIMIT_MS = 420_000;

/** The examples that need no special scheduler and no image that is missing in the cluster. */
const EXAMPLES = [
  "spark-pi.yaml",
  "spark-pi-pod-template.yaml",
  "spark-pi-configmap.yaml",
  "spark-pi-custom-resource.yaml",
  "spark-pi-dynamic-allocation.yaml",
  "spark-pi-emptydir.yaml",
  "spark-pi-prometheus-servlet.yaml",
  "spark-pi-python.yaml",
  "spark-pi-ttl.yaml",
];

interface SparkApplication extends KubeObjectLike {
  readonly status?: Partial<SparkApplicationStatus>;
}

const why = KUBEFLOW_OPERATOR === undefined ? " (KINDLING_E2E_KUBEFLOW_OPERATOR names no operator)" : "";

describe.skipIf(KUBEFLOW_OPERATOR === undefined)(
  `a stock kubeflow operator that submits by kindling serve${why}`,
  { timeout: LIMIT_MS },
  () => {
    let system: EmptyNamespace;
    let namespace: EmptyNamespace;
    let folder: string;
    let type: ResourceType;

    beforeAll(async () => {
      system = await EmptyNamespace.create("kubeflow-system");
      namespace = await EmptyNamespace.create("kubeflow-apps");
      folder = mkdtempSync(join(tmpdir(), "kindling-e2e-kubeflow-"));
      const values = join(folder, "values.yaml");
      writeFileSync(values, valuesOfDocumentation(namespace.name));
      await installOperator(system.name, values);
      type = await namespace.client.resourceFor(API_VERSION, "SparkApplication");
    }, LIMIT_MS);
    afterAll(async () => {
      await namespace.remove();
      await uninstallOperator(system.name);
      await system.remove();
      rmSync(folder, { recursive: true, force: true });
    }, LIMIT_MS);

    async function find(name: string): Promise<SparkApplication | undefined> {
      try {
        return (await namespace.client.get(type, name)) as SparkApplication;
      } catch (error) {
        if (isNotFound(error)) return undefined;
        throw error;
      }
    }

    async function apply(objects: readonly KubeObjectLike[]): Promise<void> {
      for (const object of objects) {
        const kind = await namespace.client.resourceFor(object.apiVersion ?? "", object.kind ?? "");
        await namespace.client.apply(kind, object, { fieldManager: "kubectl", force: true });
      }
    }

    async function logOf(pod: string): Promise<string[]> {
      const lines: string[] = [];
      for await (const line of followLogs(namespace.client, pod)) lines.push(line);
      return lines;
    }

    /** Waits for the end of an application. */
    const untilEnded = (name: string): Promise<SparkApplication> =>
      eventually(
        `the end of ${name}`,
        async () => {
          const application = await find(name);
          return ENDED.has(application?.status?.applicationState?.state ?? "") && application;
        },
        LIMIT_MS,
      );

    test.each(EXAMPLES)("its example %s runs to its end", async (file) => {
      const objects = examples(namespace.name).get(file) ?? [];
      const name = objects.find(({ kind }) => kind === "SparkApplication")?.metadata?.name ?? "";
      await apply(objects);
      onTestFinished(() => namespace.client.delete(type, name).then(ignore, ignore));
      const { status } = await untilEnded(name);
      expect(status?.applicationState, JSON.stringify(status)).toMatchObject({ state: "COMPLETED" });
      const podName = status?.driverInfo?.podName ?? "";
      const { metadata } = await namespace.client.get(resources.pods, podName);
      // Created by the service.
      expect(metadata?.labels?.["submission.kindling/id"]).toBe(status?.submissionID);
      expect(await logOf(podName)).toContainEqual(expect.stringMatching(PI));
    });

    test("what the service refuses, the operator tells", async () => {
      const [original] = examples(namespace.name).get("spark-pi.yaml") ?? [];
      const spec = { ...(original as { spec?: object }).spec, mainClass: undefined };
      await apply([{ ...original, metadata: { name: "no-class", namespace: namespace.name }, spec } as KubeObjectLike]);
      const { status } = await untilEnded("no-class");
      expect(status?.applicationState).toMatchObject({
        state: "FAILED",
        errorMessage: expect.stringContaining("INVALID_SPARK_SUBMIT_ARGS") as string,
      });
    });
  },
);

const ignore = (): void => undefined;
const PI = /^Pi is roughly 3\.1/;
const ENDED: ReadonlySet<string> = new Set(["COMPLETED", "FAILED"]);
