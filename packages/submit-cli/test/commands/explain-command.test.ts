import { beforeEach, describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { kindling } from "../fixtures/kindling-process.ts";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { APP, conf, flagsFor } from "../fixtures/submission.ts";

let cluster: TestCluster;

beforeEach(async () => {
  cluster = await TestCluster.start();
});

const submit = (...args: string[]): ReturnType<typeof kindling> => kindling(["submit", ...flagsFor(cluster), ...args]);

describe("kindling explain", () => {
  const explain = (...args: string[]): ReturnType<typeof kindling> =>
    kindling(["explain", ...flagsFor(cluster), ...args]);

  test("names the step behind each value", async () => {
    const folder = scratchFolder({
      "driver.yaml": "metadata: {labels: {team: data}}\nspec: {priorityClassName: high, containers: [{name: spark}]}\n",
    });
    const template = conf({ "spark.kubernetes.driver.podTemplateFile": `${folder.path}/driver.yaml` });
    const { code, stdout, stderr } = await explain(...template, ...APP);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^ *team: data # pod-template$/m);
    expect(stdout).toMatch(/^ *priorityClassName: high # pod-template$/m);
    expect(stdout).toMatch(/^ *spark-role: driver # basic$/m);
    expect(stdout).toMatch(/^ *image: apache\/spark:4\.3\.0 # basic$/m);
    expect(stdout).toMatch(/^ *clusterIP: None # driver-service$/m);
    expect(stdout).toMatch(/^ *- driver # driver-command$/m);
    expect(stdout).toMatch(/^ *mountPath: \/opt\/spark\/conf # configuration$/m);
    expect(stdout.split("\n").filter((line) => /^ *[\w.-]+: [^#]*[^#\s|}]$/.test(line))).toEqual([]);
    expect(cluster.api.requests).toEqual([]);
  });

  test("is YAML of the objects that --dry-run prints, but for the label by which those are removed", async () => {
    const args = ["--submission-id", "same", ...conf({ "spark.app.submitTime": "1" }), ...APP];
    const [explained, printed] = [await explain(...args), await submit("--dry-run", ...args)];
    const read = (text: string): unknown[] => parseAllDocuments(text).map((document) => document.toJS() as unknown);
    const application = /spark-app-selector=(\S+)/.exec(printed.stdout)?.[1];
    const labelled = (read(explained.stdout) as { metadata: { labels?: object } }[]).map((object) => {
      const labels = { ...object.metadata.labels, "spark-app-selector": application };
      return { ...object, metadata: { ...object.metadata, labels } };
    });
    expect(labelled).toEqual(read(printed.stdout));
  });

  test("gives the same as data", async () => {
    const { stdout } = await explain("-o", "json", ...APP);
    const objects = JSON.parse(stdout) as { object: { kind: string }; steps: Record<string, string> }[];
    expect(objects.map(({ object }) => object.kind)).toEqual(["Service", "NetworkPolicy", "ConfigMap", "Pod"]);
    expect(objects.at(-1)?.steps).toMatchObject({
      "metadata.labels.spark-role": "basic",
      "spec.containers[spark-kubernetes-driver].image": "basic",
      "spec.containers[spark-kubernetes-driver].env[SPARK_LOCAL_DIRS].value": "local-dirs",
    });
  });

  test("names contributed steps, and explains executors", async () => {
    const folder = scratchFolder({
      "cost.mjs": `const annotated = (pod) => ({ ...pod, metadata: { ...pod.metadata, annotations: { ...pod.metadata?.annotations, cost: "42" } } });
        export default { name: "cost",
          configureDriver: (spec) => ({ ...spec, driverPod: annotated(spec.driverPod) }),
          configureExecutor: (spec) => ({ ...spec, executorPod: annotated(spec.executorPod) }) };`,
    });
    const steps = ["--steps", `${folder.path}/cost.mjs`];
    expect((await explain(...steps, ...APP)).stdout).toMatch(/^ *cost: "42" # cost$/m);
    const { stdout } = await explain("--executor", ...steps, ...APP);
    expect(stdout).toMatch(/^ *cost: "42" # cost$/m);
    expect(stdout).toMatch(/^ *spark-role: executor # basic$/m);
  });

  test("without anything to explain shows how it is called", async () => {
    const { code, stdout, stderr } = await kindling(["explain"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^Prints the objects[^]*Usage: kindling explain/);
  });
});
