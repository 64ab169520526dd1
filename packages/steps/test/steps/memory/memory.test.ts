import { expect, test } from "vitest";
import { driver, GATEWAY, gatewayDriver, KEY } from "../scheduler/gateway-driver.ts";

const MEMORY = "spark.kindling.memory";
const OPTIONS = "spark.executor.defaultJavaOptions";

function healing(conf: Record<string, string> = {}, more: Parameters<typeof gatewayDriver>[0] = {}) {
  const { driverPod, driverSparkConf } = gatewayDriver({ ...more, conf: { [MEMORY]: "heal", ...conf } });
  const text = driverPod.metadata?.annotations?.["scheduler.kindling/memory"] ?? "null";
  return { wish: JSON.parse(text) as unknown, conf: driverSparkConf };
}

test("without the key, the driver is as it was", () => {
  const { driverPod, driverSparkConf } = gatewayDriver();
  expect(driverPod.metadata?.annotations).not.toHaveProperty("scheduler.kindling/memory");
  expect(driverSparkConf).not.toHaveProperty(OPTIONS);
});

test("the gateway is told what it needs", () => {
  const usual = {
    mode: "heal",
    uiPort: 4040,
    taskCpus: 1,
    attempts: 4,
    beside: 0,
    driverHeap: 1024,
    keepsEnded: false,
    executor: { heap: 1024, total: 1408, slots: 1 },
  };
  expect(healing().wish).toEqual(usual);
  const conf = {
    [`${MEMORY}.max`]: "16g",
    "spark.task.cpus": "1.5",
    "spark.task.maxFailures": "8",
    "spark.driver.memory": "3g",
    "spark.kubernetes.executor.deleteOnTermination": "false",
    "spark.memory.offHeap.enabled": "true",
    "spark.memory.offHeap.size": "256m",
    "spark.executor.pyspark.memory": "1g",
  };
  const executor = { heap: 1024, total: 1664, slots: 1 };
  const told = { executor, max: 16_384, taskCpus: 2, attempts: 8, beside: 256, driverHeap: 3072, keepsEnded: true };
  expect(healing(conf).wish).toEqual({ ...usual, ...told });
  const mainApplication = {
    language: "python",
    resource: "local:///a.py",
    mainClass: "org.apache.spark.deploy.PythonRunner",
  } as const;
  expect(healing(conf, { mainApplication }).wish).toEqual({
    ...usual,
    ...told,
    beside: 1280,
    executor: { ...executor, total: 2713 },
  });
});

test("an executor whose heap is full ends at once", () => {
  expect(healing().conf[OPTIONS]).toBe("-XX:+ExitOnOutOfMemoryError");
  expect(healing({ [OPTIONS]: "-Da=b" }).conf[OPTIONS]).toBe("-Da=b -XX:+ExitOnOutOfMemoryError");
});

test.each(["-XX:+CrashOnOutOfMemoryError", "-XX:OnOutOfMemoryError='kill %p'", "-XX:+ExitOnOutOfMemoryError"])(
  "what the user has set for that stays: %s",
  (option) => {
    expect(healing({ "spark.executor.extraJavaOptions": option }).conf).not.toHaveProperty(OPTIONS);
  },
);

test("Spark's own recovery mode is left to the gateway where there is one, unless the user has set it", () => {
  const key = "spark.kubernetes.allocation.recoveryMode.enabled";
  expect(healing({}, { sparkVersion: "4.3.0" }).conf[key]).toBe("false");
  expect(healing({ [key]: "true" }, { sparkVersion: "4.3.0" }).conf[key]).not.toBe("false");
  expect(healing({}, { sparkVersion: "3.5.9" }).conf).not.toHaveProperty(key);
});

test.each([
  [{ [MEMORY]: "grow" }, /spark.kindling.memory/],
  [{ [MEMORY]: "heal", [`${MEMORY}.max`]: "0" }, /spark.kindling.memory.max/],
  [{ [MEMORY]: "heal", [KEY]: "native" }, /spark.kindling.memory=heal needs spark.kindling.scheduler=gateway/],
  [
    { [MEMORY]: "heal", "spark.kubernetes.allocation.pods.allocator": "statefulset" },
    /needs spark.kubernetes.allocation.pods.allocator=direct: with statefulset/,
  ],
  [
    { [MEMORY]: "heal", [`${KEY}.queue`]: "kueue:team-a" },
    /spark.kindling.memory=heal needs a queue of the gateway: Kueue/,
  ],
])("%o is refused", (conf, message) => {
  expect(() => gatewayDriver({ conf })).toThrow(message);
});

test("a limit without effect is told", () => {
  const notices: string[] = [];
  const notice = (message: string): void => void notices.push(message);
  driver({ conf: { [`${MEMORY}.max`]: "8g", [`${MEMORY}.min`]: "2g" } }, notice);
  driver({ conf: { ...GATEWAY, [MEMORY]: "heal", [`${MEMORY}.min`]: "2g" } }, notice);
  expect(notices).toEqual([
    `${MEMORY}.max has no effect without ${MEMORY}=heal or learn`,
    `${MEMORY}.min has no effect without ${MEMORY}=heal or learn`,
    `${MEMORY}.min has no effect without ${MEMORY}=learn`,
  ]);
});

test("what executors use is measured, and where it can be read is told, unless the user has set something else", () => {
  const learn = { [MEMORY]: "learn", [`${MEMORY}.min`]: "2g" };
  expect(healing(learn).wish).toMatchObject({ mode: "learn", min: 2048, uiPort: 4040 });
  expect(healing(learn).conf["spark.executor.processTreeMetrics.enabled"]).toBe("true");
  expect(healing(learn).conf["spark.executor.metrics.pollingInterval"]).toBe("2s");
  expect(healing().conf).not.toHaveProperty("spark.executor.metrics.pollingInterval");
  const own = { ...learn, "spark.executor.processTreeMetrics.enabled": "false", "spark.ui.enabled": "false" };
  expect(healing(own).wish).not.toHaveProperty("uiPort");
  expect(healing(own).conf["spark.executor.processTreeMetrics.enabled"]).not.toBe("true");
  expect(healing({ ...learn, "spark.ssl.ui.enabled": "true" }).wish).not.toHaveProperty("uiPort");
});
