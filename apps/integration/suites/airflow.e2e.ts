import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isNotFound, resources } from "@kindling/kube";
import { Airflow, AIRFLOW_PYTHON, type AirflowTask, type SparkSubmitTask } from "../clusters/airflow.ts";
import { APP_DIR, prepareApplications, type Fixtures } from "../clusters/applications.ts";
import { eventually, SPARK_VERSIONS, TestNamespace } from "../clusters/test-cluster.ts";

const [VERSION = ""] = SPARK_VERSIONS;
// A task of Airflow alone takes 10 s to start, and much more on a busy machine.
const LIMIT_MS = 600_000;
const why = AIRFLOW_PYTHON === undefined ? " (KINDLING_E2E_AIRFLOW names no Python with Airflow)" : "";

describe.skipIf(AIRFLOW_PYTHON === undefined)(`Airflow's SparkSubmitOperator${why}`, { timeout: LIMIT_MS }, () => {
  let namespace: TestNamespace;
  let fixtures: Fixtures;
  let airflow: Airflow;

  beforeAll(async () => {
    namespace = await TestNamespace.create("airflow");
    fixtures = await prepareApplications(namespace, VERSION);
    airflow = new Airflow(namespace);
  });
  afterAll(async () => {
    airflow.remove();
    fixtures.remove();
    await namespace.remove();
  });

  const run = (
    name: string,
    [script, ...application_args]: readonly [string, ...string[]],
    { conf, ...more }: Partial<SparkSubmitTask> = {},
  ): AirflowTask =>
    airflow.run({
      name,
      application: `local://${APP_DIR}/${script}`,
      application_args,
      conf: { ...fixtures.conf, ...conf },
      ...more,
    });

  /** The phase of the driver pod that the hook knows; undefined if the pod is gone. */
  async function phaseOf({ driverPod = "" }: AirflowTask): Promise<string | undefined> {
    try {
      return (await namespace.client.get(resources.pods, driverPod)).status?.phase;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  const untilRunning = (task: AirflowTask): Promise<boolean> => {
    const isRunning = async (): Promise<boolean> => task.driverPod !== undefined && (await phaseOf(task)) === "Running";
    return eventually("a running driver that the hook knows", isRunning, LIMIT_MS / 2);
  };
  const untilGone = (task: AirflowTask): Promise<boolean> =>
    eventually("the end of the driver pod", async () => (await phaseOf(task)) === undefined, LIMIT_MS / 2);

  test("runs an application, and knows its driver pod and its id", async () => {
    const task = run("runs", ["word-count.py", `${APP_DIR}/text.txt`, "1"]);
    expect(await task.ended, task.log).toMatch(/^TASK succeeded/);
    expect(await phaseOf(task)).toBe("Succeeded");
    const pod = await namespace.client.get(resources.pods, task.driverPod ?? "");
    expect(task.applicationId).toBe(pod.metadata?.labels?.["spark-app-selector"]);
  });

  test("fails with the driver's exit code", async () => {
    const task = run("fails", ["fail.py", "3"]);
    expect(await task.ended, task.log).toMatch(/^TASK failed: .*Error code is: 0. Kubernetes spark exit code is: 3$/m);
  });

  test("fails with what was wrong where nothing can be submitted", async () => {
    const task = run("refused", ["fail.py"], { conf: { "spark.driver.memory": "much" } });
    const end = await task.ended;
    expect(end).toMatch(/^TASK failed: .*Error code is: 1\./m);
    expect(end).toContain('Caused by: spark.driver.memory: "much" is not a positive size');
  });

  test("is killed: the process at once, the application by its driver pod", async () => {
    const task = run("killed", ["sleep.py"]);
    await untilRunning(task);
    task.kill();
    expect(await task.ended, task.log).toMatch(/^TASK failed: .*Error code is: -9\./m);
    await untilGone(task);
  });

  test("does not wait, and then asks for an exit code that is still to come, as with the real one; the application runs", async () => {
    const noWait = { "spark.kubernetes.submission.waitAppCompletion": "false" };
    const task = run("no wait", ["word-count.py", `${APP_DIR}/text.txt`, "1"], { conf: noWait });
    expect(await task.ended, task.log).toMatch(/Error code is: 0. Kubernetes spark exit code is: None$/m);
    await eventually("the application's success", async () => (await phaseOf(task)) === "Succeeded", LIMIT_MS / 2);
  });

  describe("with track_driver_via_k8s_api", () => {
    const tracked = { track_driver_via_k8s_api: true };

    test("runs an application, fails with another, and submits without waiting", async () => {
      const good = run("tracked", ["word-count.py", `${APP_DIR}/text.txt`, "1"], tracked);
      const bad = run("tracked and failing", ["fail.py", "3"], tracked);
      const [well, ill] = await Promise.all([good.ended, bad.ended]);
      expect(well, good.log).toMatch(/^TASK succeeded/);
      expect(good.log).toMatch(/Application status for spark-[0-9a-f]{32} \(phase: Succeeded\)/);
      expect(good.log.match(/State changed, new state: /g)).toHaveLength(1);
      expect(good.log).not.toContain("Container final statuses");
      // The hook deletes a pod that has succeeded.
      await untilGone(good);
      expect(ill, bad.log).toMatch(
        /^TASK failed: Spark application \S+ failed \(phase=Failed exit_code=3 reason=Error\)/,
      );
    });

    test("is killed while it looks at the pod", async () => {
      const task = run("tracked and killed", ["sleep.py"], tracked);
      await untilRunning(task);
      task.kill();
      await task.ended;
      expect(task.log).toContain(`Deleted driver pod ${task.driverPod ?? ""}`);
      await untilGone(task);
    });
  });
});
