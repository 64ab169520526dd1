import { confKey, confType, optionalConfKey, type ConfKey } from "@kindling/core-spec";

const { boolean, bytes, checked, int, oneOf, time } = confType;

export const MEMORY: ConfKey<"off" | "heal" | "learn"> = confKey({
  key: "spark.kindling.memory",
  type: oneOf("off", "heal", "learn"),
  default: "off",
  since: "3.5.0",
  readBy: ["submit"],
  doc: "What the gateway does if an executor ends for lack of memory. heal: the executors that the driver asks for next get more memory, and a driver that is started again, too. learn: the same, and executors begin with what earlier runs of an application of this name needed. Needs spark.kindling.scheduler=gateway.",
});

export const MEMORY_MAX: ConfKey<number | undefined> = optionalConfKey({
  key: "spark.kindling.memory.max",
  type: checked(bytes("m"), (size) => size > 0, "a size greater than 0, such as 16g"),
  since: "3.5.0",
  readBy: ["submit"],
  doc: "The most memory that a pod of the application gets from spark.kindling.memory, heap and overhead together. If unset, three times as much as it asks for at first.",
});

export const MEMORY_MIN: ConfKey<number | undefined> = optionalConfKey({
  key: "spark.kindling.memory.min",
  type: checked(bytes("m"), (size) => size > 0, "a size greater than 0, such as 2g"),
  since: "3.5.0",
  readBy: ["submit"],
  doc: "The least memory that an executor's pod gets with spark.kindling.memory=learn, heap and overhead together.",
});

export const TASK_MAX_FAILURES: ConfKey<number> = confKey({
  key: "spark.task.maxFailures",
  type: int,
  default: "4",
  since: "0.8.0",
  readBy: ["driver"],
  doc: "How often a task may fail until its job fails.",
});

export const PROCESS_TREE_METRICS: ConfKey<boolean> = confKey({
  key: "spark.executor.processTreeMetrics.enabled",
  type: boolean,
  default: "false",
  since: "3.0.0",
  readBy: ["driver", "executor"],
  doc: "Whether executors measure the memory of their processes, Python's among them.",
});

export const METRICS_POLLING_INTERVAL: ConfKey<number> = confKey({
  key: "spark.executor.metrics.pollingInterval",
  type: time("ms"),
  default: "0",
  since: "3.0.0",
  readBy: ["driver", "executor"],
  doc: "How often executors measure their memory. 0: with each heartbeat.",
});

export const UI_ENABLED: ConfKey<boolean> = confKey({
  key: "spark.ui.enabled",
  type: boolean,
  default: "true",
  since: "1.1.1",
  readBy: ["driver"],
  doc: "Whether the driver has a web UI.",
});
