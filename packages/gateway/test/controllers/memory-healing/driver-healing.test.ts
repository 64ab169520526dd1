import { TestCluster } from "@kindling/test-cluster/test-cluster";
import type { Pod } from "kubernetes-types/core/v1.js";
import { expect, test } from "vitest";
import { restartable, runs, submit } from "../../support/restartable.ts";
import { startTestGateway } from "../../support/test-gateway.ts";

const ARGS = ["driver", "--properties-file", "/opt/spark/conf/spark.properties", "--class", "Main", "local:///a.jar"];
const EXECUTOR = { heap: 1024, total: 1408, slots: 1 };
const PYTHON_CRASHED = [
  'Exception in thread "main" org.apache.spark.SparkException: Job aborted due to stage failure: Task 1 in stage 0.0 failed 4 times, most recent failure: Lost task 1.3 in stage 0.0 (TID 7) (10.0.0.9 executor 5): org.apache.spark.SparkException: Python worker exited unexpectedly (crashed)',
  "\tat org.apache.spark.api.python.BasePythonRunner.run(PythonRunner.scala:1)",
];

/** A driver that is restarted, with a heap of 512 MiB in 1 GiB. */
function healed(wish: object = {}) {
  const known = { mode: "heal", taskCpus: 1, attempts: 4, driverHeap: 512, executor: EXECUTOR };
  return restartable({ args: ARGS }).annotations({
    "scheduler.kindling/memory": JSON.stringify({ ...known, ...wish }),
  });
}

function sizeOf({ spec }: Pod): readonly unknown[] {
  const spark = spec?.containers.find(({ name }) => name === "spark-kubernetes-driver");
  return [spark?.resources?.limits?.["memory"], spark?.resources?.requests?.["memory"], spark?.args];
}

function words({ metadata }: Pod): string {
  const text = metadata?.annotations?.["gateway.kindling/memory"] ?? "{}";
  return (JSON.parse(text) as { readonly words?: string }).words ?? "";
}

function withHeap(heap: number): readonly string[] {
  return ["driver", "--conf", `spark.driver.memory=${heap}m`, ...ARGS.slice(1)];
}

test("a driver that the kernel has killed is followed by one with a larger container", async () => {
  const cluster = await TestCluster.start();
  await startTestGateway(cluster);
  const first = await submit(cluster, healed());
  cluster.end(first, 137, "OOMKilled");
  const second = await runs(cluster, 1);
  expect(sizeOf(second)).toEqual(["1536Mi", "1536Mi", withHeap(512)]);
  expect(words(second)).toBe(
    "the driver used more than its container's 1024 MiB, and was killed (OOMKilled); the next driver has 1536 MiB. To " +
      "begin with that: --conf spark.driver.memory=512m --conf spark.driver.memoryOverhead=1024m",
  );
});

test("a driver whose heap was full gets a larger heap, again and again", async () => {
  const cluster = await TestCluster.start();
  await startTestGateway(cluster);
  let driver = await submit(cluster, healed());
  const log = ['Exception in thread "main" java.lang.OutOfMemoryError: Java heap space'];
  const sizes: unknown[] = [];
  for (const restarts of [1, 2]) {
    cluster.writeLog(driver, log);
    cluster.end(driver, 1);
    driver = await runs(cluster, restarts);
    sizes.push(sizeOf(driver));
  }
  expect(sizes).toEqual([
    ["1280Mi", "1280Mi", withHeap(768)],
    ["1536Mi", "1536Mi", withHeap(1024)],
  ]);
});

test("a driver that failed for the memory of its executors begins with larger ones", async () => {
  const cluster = await TestCluster.start();
  await startTestGateway(cluster);
  const first = await submit(cluster, healed());
  cluster.writeLog(first, PYTHON_CRASHED);
  cluster.end(first, 1);
  const second = await runs(cluster, 1);
  expect(sizeOf(second)).toEqual(["1Gi", "1Gi", ARGS]);
  expect(words(second)).toMatch(
    /^a process of executors needed more than there was outside of Java's heap, in a container of 1408 MiB; executors from now on have 2112 MiB/,
  );
});

test("if its executors began with less than it asks for, they get that", async () => {
  const cluster = await TestCluster.start();
  await startTestGateway(cluster);
  const learned = { heap: 512, total: 704, slots: 1 };
  const record = { profiles: { 0: { first: learned, now: learned, raises: 0, words: "" } } };
  const memory = { mode: "learn", taskCpus: 1, attempts: 4, driverHeap: 512, executor: EXECUTOR };
  const first = await submit(
    cluster,
    restartable({ args: ARGS }).annotations({
      "scheduler.kindling/memory": JSON.stringify(memory),
      "gateway.kindling/memory": JSON.stringify(record),
    }),
  );
  cluster.writeLog(first, PYTHON_CRASHED);
  cluster.end(first, 1);
  const second = await runs(cluster, 1);
  expect(words(second)).toBe(
    "a process of executors needed more than there was outside of Java's heap, in a container of 704 MiB; executors from " +
      "now on have the 1408 MiB that the application asks for",
  );
});

test.each([
  ["failed for another reason", {}, 1],
  ["does not want it", { mode: "off" }, 137],
])("a driver that %s is followed by one like it", async (_, wish, exitCode) => {
  const cluster = await TestCluster.start();
  await startTestGateway(cluster);
  const first = await submit(cluster, healed(wish));
  cluster.writeLog(first, ['Exception in thread "main" java.lang.IllegalStateException: no']);
  cluster.end(first, exitCode);
  const second = await runs(cluster, 1);
  expect(sizeOf(second)).toEqual(["1Gi", "1Gi", ARGS]);
});
