import { aPod } from "@kindling/test-kit/a-pod";
import type { Pod } from "kubernetes-types/core/v1.js";
import { expect, test } from "vitest";
import { follow, type Followed } from "../fixtures/followed.ts";

/** What is reported about a failed driver. */
async function told({ result }: Followed): Promise<object> {
  const { outcome } = await result;
  const [first] = outcome?.phase === "Failed" ? outcome.diagnosis.findings : [];
  return { summary: first?.summary, advice: first?.advice };
}

test("a log whose lines are long is read to its end", async () => {
  const followed = await follow();
  const driver = await followed.run();
  const long = Array.from({ length: 1500 }, () => `26/01/01 00:00:00 INFO Etl: ${"x".repeat(1000)}`);
  followed.cluster.writeLog(driver, [...long, "Error in f(x) : no rows", "Execution halted"]);
  followed.cluster.end(driver, 1);
  expect(await told(followed)).toMatchObject({ summary: "Error in f(x) : no rows (exit code 1)" });
});

test("an executor that failed says why in its own log", async () => {
  const followed = await follow();
  const driver = await followed.run();
  const executor = await followed.cluster.createPod(executorOf(driver));
  followed.cluster.writeLog(executor, ["Unrecognized option: -Xmse"]);
  followed.cluster.end(executor, 1);
  await followed.cluster.inPhase(executor, "Failed");
  followed.cluster.writeLog(driver, ["ERROR ExecutorPodsAllocator: Max number of executor failures (3) reached"]);
  followed.cluster.end(driver, 11);
  expect(await told(followed)).toMatchObject({
    summary: expect.stringMatching(/more than 3 executors had failed: .*Unrecognized option: -Xmse/) as unknown,
    advice: expect.stringContaining("spark.executor.extraJavaOptions") as unknown,
  });
});

function executorOf({ metadata: { namespace = "", labels = {} } = {} }: Pod): Pod {
  const executor = aPod("exec-1")
    .in(namespace)
    .executor(1, labels["spark-app-selector"] ?? "");
  return executor.spec({ restartPolicy: "Never" }).build();
}
