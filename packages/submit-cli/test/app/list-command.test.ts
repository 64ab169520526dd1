import { expect, test } from "vitest";
import { parse } from "yaml";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { application, OperatedCluster, schedule, startApp } from "../fixtures/operated-cluster.ts";
import { kubeconfigFor } from "../fixtures/kindling-process.ts";

test("applications are listed with kubectl's columns, those of a state, of labels and of all namespaces", async () => {
  const operated = await OperatedCluster.start();
  await operated.apply(application("pi", {}, { labels: { team: "data" } }));
  await operated.apply(application("etl"));
  await operated.apply(application("far", {}, { namespace: "elsewhere" }));
  await operated.tell("pi", {
    applicationState: { state: "COMPLETED" },
    driverInfo: { podName: "pi-driver" },
    executionAttempts: 2,
    lastSubmissionAttemptTime: "2026-01-01T00:00:00Z",
    terminationTime: "2026-01-01T00:05:00Z",
  });
  const { code, stdout, stderr } = await operated.run(["list"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout.split("\n")).toEqual([
    "NAME   STATE       ATTEMPTS   START                  FINISH                 AGE",
    expect.stringMatching(/^etl    NEW {60,}\ds$/),
    expect.stringMatching(/^pi     COMPLETED   2          2026-01-01T00:00:00Z   2026-01-01T00:05:00Z   \ds$/),
    "",
  ]);
  const named = async (...args: string[]): Promise<string> =>
    (await operated.run(["list", "-o", "name", ...args])).stdout;
  expect(await named("-A")).toBe("elsewhere:far\nspark-jobs:etl\nspark-jobs:pi\n");
  expect(await named("--state", "new,running")).toBe("spark-jobs:etl\n");
  expect(await named("-l", "team=data")).toBe("spark-jobs:pi\n");
  expect(JSON.parse((await operated.run(["list", "-o", "json", "--state", "completed"])).stdout)).toMatchObject([
    { namespace: "spark-jobs", name: "pi", state: "COMPLETED", driverPod: "pi-driver", executionAttempts: 2 },
  ]);
  expect(parse((await operated.run(["list", "-o", "yaml", "-n", "elsewhere"])).stdout)).toMatchObject([
    { name: "far", state: "" },
  ]);
});

test("schedules are listed", async () => {
  const operated = await OperatedCluster.start();
  await operated.apply(schedule("nightly", { timeZone: "Europe/Berlin" }));
  await operated.apply(schedule("weekly", { suspend: true }));
  const status = { scheduleState: "Scheduled", nextRun: "2030-01-01T02:00:00Z", lastRunName: "nightly-1" };
  await operated.tell("nightly", status, "scheduledsparkapplications");
  const { stdout } = await operated.run(["list", "--scheduled"]);
  expect(stdout).toMatch(/^NAME +SCHEDULE +TIME ZONE +STATE +LAST RUN +LAST RUN NAME +NEXT RUN +AGE$/m);
  expect(stdout).toMatch(/^nightly +0 3 \* \* \* +Europe\/Berlin +Scheduled +nightly-1 +2030-01-01T02:00:00Z +\ds$/m);
  expect(stdout).toMatch(/^weekly +0 3 \* \* \* +suspended +\ds$/m);
});

test("-w shows them again whenever they change", async () => {
  const operated = await OperatedCluster.start();
  await operated.apply(application("pi"));
  const watching = operated.startApp(["list", "-w"]);
  await watching.saying("NEW");
  await operated.tellState("pi", "RUNNING");
  await watching.saying("RUNNING");
  watching.interrupt();
  expect((await watching.ended).code).toBe(130);
});

test("of nothing says so to people, and refuses a state that there is not", async () => {
  const operated = await OperatedCluster.start();
  expect(await operated.run(["list"])).toEqual({
    code: 0,
    stdout: "",
    stderr:
      "no SparkApplication found in namespace spark-jobs\nhint: kindling app list -A shows those of all namespaces\n",
  });
  expect(await operated.run(["list", "-o", "json"])).toMatchObject({ stdout: "[]\n", stderr: "" });
  expect((await operated.run(["list", "--state", "runing"])).stderr).toBe(
    "error: --state runing: there is no such state\nhint: did you mean RUNNING?\n",
  );
});

test("a cluster without the operator's kinds is told of, and what to do", async () => {
  const env = { KUBECONFIG: kubeconfigFor(await TestCluster.start()) };
  for (const args of [["list"], ["status", "pi"], ["delete", "pi"], ["rerun", "pi"]]) {
    expect(await startApp(args, env).ended).toEqual({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(
        /^error: the cluster has no SparkApplication \(sparkoperator\.k8s\.io\/v1beta2\)\nhint: install the operator, .*\n$/,
      ),
    });
  }
});
