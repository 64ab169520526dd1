import { describe, expect, test } from "vitest";
import { resources } from "@kindling/kube";
import { airflowReads, taskSucceeds } from "./callers/airflow.ts";
import { APP, driversIn, NAMESPACE, startCluster } from "./fixtures/cluster.ts";
import { linesOf, sparkSubmit, startSparkSubmit } from "./fixtures/spark-submit.ts";

/** The flags that the hook puts before the application, in its order. */
const HOOK_FLAGS = ["--num-executors", "1", "--executor-memory", "1g", "--name", "arrow-spark", "--verbose"];

describe("Airflow's hook", () => {
  test("sees an application that succeeds", async () => {
    const cluster = await startCluster();
    const ended = await sparkSubmit([...cluster.flags(), ...HOOK_FLAGS, ...APP]);
    const view = airflowReads(linesOf(ended));
    expect(view).toMatchObject({ driverPod: (await driversIn(cluster))[0], exitCode: 0 });
    expect(view.applicationId).toMatch(/^spark-[0-9a-f]{32}$/);
    expect(ended.stdout).toBe("");
    expect(taskSucceeds(view, ended.code)).toBe(true);
  });

  test("sees one that fails by the driver's exit code, where the process's own is spark-submit's 0", async () => {
    const cluster = await startCluster({ runMilliseconds: 0, exitCode: 3 });
    const ended = await sparkSubmit([...cluster.flags(), ...HOOK_FLAGS, ...APP]);
    const view = airflowReads(linesOf(ended));
    expect({ code: ended.code, exitCode: view.exitCode }).toEqual({ code: 0, exitCode: 3 });
    expect(taskSucceeds(view, ended.code)).toBe(false);
  });

  test("finds the driver pod where nobody waits, and follows it by the API", async () => {
    const cluster = await startCluster({});
    const noWait = { "spark.kubernetes.submission.waitAppCompletion": "false" };
    const ended = await sparkSubmit([...cluster.flags(noWait), ...HOOK_FLAGS, ...APP]);
    const view = airflowReads(linesOf(ended));
    expect(view.driverPod).toBe((await driversIn(cluster))[0]);
    expect(ended.stderr.match(/State changed, new state: /g)).toHaveLength(1);
    // The hook then asks for the exit code of a driver that has not ended yet, unless it follows the driver through the API.
    expect(taskSucceeds(view, ended.code)).toBe(false);
    expect(taskSucceeds(view, ended.code, true)).toBe(true);
  });

  test("knows the driver pod when it kills the process, and nothing else is left of that", async () => {
    const cluster = await startCluster({});
    const running = startSparkSubmit([...cluster.flags(), ...HOOK_FLAGS, ...APP]);
    await running.saying("phase: Running");
    running.child.kill("SIGKILL");
    const ended = await running.ended;
    const { driverPod = "" } = airflowReads(linesOf(ended));
    expect(taskSucceeds(airflowReads(linesOf(ended)), ended.code)).toBe(false);
    const pod = await cluster.client.get(resources.pods, driverPod, { namespace: NAMESPACE });
    expect(pod.status?.phase).toBe("Running");
  });

  test("has a refusal in the text of the failed task, from the exception on", async () => {
    const cluster = await startCluster();
    const ended = await sparkSubmit([...cluster.flags({ "spark.driver.memory": "much" }), ...HOOK_FLAGS, ...APP]);
    expect(ended.code).toBe(1);
    const { tail, exitCode } = airflowReads(linesOf(ended));
    expect(exitCode).toBeUndefined();
    expect(tail[0]).toMatch(/^Exception in thread "main" /);
    expect(tail[1]).toContain('spark.driver.memory: "much" is not a positive size');
  });
});
