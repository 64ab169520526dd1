import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Airflow, AIRFLOW_PYTHON, type AirflowTask } from "../clusters/airflow.ts";
import { APP_DIR, prepareApplications } from "../clusters/applications.ts";
import {
  OperatedApplications,
  smallSpec,
  stateOf,
  type OperatedApplication,
} from "../clusters/operated-applications.ts";
import { NO_OPERATOR, startOperator } from "../clusters/operator.ts";
import { eventually, SPARK_VERSIONS, TestNamespace } from "../clusters/test-cluster.ts";

const VERSION = SPARK_VERSIONS.at(-1) ?? "";
// A task of Airflow alone takes 10 s to start, and checks every 10 s.
const LIMIT_MS = 300_000;
const missing = AIRFLOW_PYTHON === undefined ? "KINDLING_E2E_AIRFLOW names no Python with Airflow" : NO_OPERATOR;
const why = missing === undefined ? "" : ` (${missing})`;
const options = { timeout: LIMIT_MS, concurrent: true };

// At the same time: most of a task is its start and its waiting.
describe.skipIf(missing !== undefined)(`Airflow's SparkKubernetesOperator${why}`, options, () => {
  let namespace: TestNamespace;
  let airflow: Airflow;
  let applications: OperatedApplications;
  const ends: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    namespace = await TestNamespace.create("operator-airflow");
    ends.push(() => namespace.remove());
    (await prepareApplications(namespace, VERSION)).remove();
    const operator = await startOperator(namespace);
    ends.unshift(() => operator.stop());
    applications = await OperatedApplications.watch(namespace);
    ends.unshift(() => applications.stop());
    airflow = new Airflow(namespace);
  }, LIMIT_MS);
  afterAll(async () => {
    airflow.remove();
    for (const end of ends) await end();
  }, LIMIT_MS);

  const words: readonly [string, ...string[]] = ["word-count.py", `${APP_DIR}/text.txt`, "1"];

  function run(
    name: string,
    [script, ...args]: readonly [string, ...string[]],
    more: { readonly tries?: number; readonly arguments?: object } = {},
  ): AirflowTask {
    const spec = smallSpec(VERSION, script, { arguments: args });
    const body = { apiVersion: "sparkoperator.k8s.io/v1beta2", kind: "SparkApplication", metadata: { name }, spec };
    return airflow.runOnKubernetes({
      class: "SparkKubernetesOperator",
      arguments: { name, namespace: namespace.name, template_spec: body, ...more.arguments },
      run_id: `manual__${name}`,
      try_number: more.tries ?? 1,
    });
  }

  /** The applications that a task has created: a random suffix is added to its name. */
  async function ofTask(name: string): Promise<readonly OperatedApplication[]> {
    return (await applications.all()).filter(({ metadata }) => metadata?.name?.startsWith(`${name}-`));
  }

  async function running(name: string): Promise<OperatedApplication> {
    return await eventually(`a running application ${name}`, async () => {
      const [application] = await ofTask(name);
      return application !== undefined && stateOf(application) === "RUNNING" && application;
    });
  }

  async function untilGone(name: string): Promise<void> {
    await eventually(`the end of ${name}`, async () => (await ofTask(name)).length === 0);
  }

  test("runs an application, with its log, and takes it away", async () => {
    const task = run("runs", words);
    expect(await task.ended, task.log).toMatch(/^TASK succeeded/);
    expect(task.log).toContain("COUNT question 1");
    expect(task.log).toMatch(/^XCOM pod_name runs-\w+-driver$/m);
    await untilGone("runs");
  });

  test("defers itself while the driver runs, and goes on at its end", async () => {
    const task = run("defers", ["sleep.py", "5"], { arguments: { deferrable: true } });
    expect(await task.ended, task.log).toMatch(/^TASK succeeded/);
    expect(task.log).toMatch(/^DEFERRED$/m);
    expect(task.log).toContain("READY");
    await untilGone("defers");
  });

  test("fails with an application", async () => {
    const task = run("fails", ["fail.py", "3"]);
    expect(await task.ended, task.log).toMatch(/^TASK failed: /);
    expect(task.log).toMatch(/driver container failed with ExitCode: 3|returned a failure/);
  });

  test("is killed, and takes its application along", async () => {
    const task = run("killed", ["sleep.py"]);
    await running("killed");
    // Airflow shows a line when another follows it.
    await eventually("a task that follows its driver", () =>
      Promise.resolve(task.log.includes("Running Spark version")),
    );
    task.kill();
    expect(await task.ended, task.log).toMatch(/^TASK failed: /);
    await untilGone("killed");
  });

  test("finds its driver again when its worker was lost", async () => {
    const lost = run("reattached", ["sleep.py", "45"]);
    const application = await running("reattached");
    lost.lose();
    await lost.ended;
    const task = run("reattached", ["sleep.py", "45"], { tries: 2 });
    expect(await task.ended, task.log).toMatch(/^TASK succeeded/);
    expect(task.log).toContain(`Found existing Spark driver pod ${application.metadata?.name ?? ""}-driver`);
    expect(task.log).toContain("READY");
    await untilGone("reattached");
  });

  test("its sensor waits for an end, and fails with a failure", async () => {
    await applications.create("ends-well", smallSpec(VERSION, words[0], { arguments: words.slice(1) }));
    await applications.create("ends-badly", smallSpec(VERSION, "fail.py", { arguments: ["3"] }));
    const sense = (name: string): AirflowTask => {
      const sensor = { application_name: name, namespace: namespace.name, attach_log: true, poke_interval: 2 };
      return airflow.runOnKubernetes({
        class: "SparkKubernetesSensor",
        arguments: sensor,
        run_id: `manual__${name}`,
        try_number: 1,
      });
    };
    const [well, badly] = [sense("ends-well"), sense("ends-badly")];
    expect(await well.ended, well.log).toMatch(/^TASK succeeded/);
    expect(well.log).toContain("COUNT question 1");
    expect(await badly.ended, badly.log).toMatch(/^TASK failed: Spark application failed with state: FAILED/);
  });
});
