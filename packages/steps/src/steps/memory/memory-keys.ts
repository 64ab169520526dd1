import { confKey, confType, optionalConfKey, type ConfKey } from "@kindling/core-spec";

const { bytes, checked, int, oneOf } = confType;

export const MEMORY: ConfKey<"off" | "heal"> = confKey({
  key: "spark.kindling.memory",
  type: oneOf("off", "heal"),
  default: "off",
  since: "3.5.0",
  readBy: ["submit"],
  doc: "What the gateway does if an executor ends for lack of memory. heal: the executors that the driver asks for next get more memory, and a driver that is started again, too. Needs spark.kindling.scheduler=gateway.",
});

export const MEMORY_MAX: ConfKey<number | undefined> = optionalConfKey({
  key: "spark.kindling.memory.max",
  type: checked(bytes("m"), (size) => size > 0, "a size greater than 0, such as 16g"),
  since: "3.5.0",
  readBy: ["submit"],
  doc: "The most memory that a pod of the application gets from spark.kindling.memory, heap and overhead together. If unset, three times as much as it asks for at first.",
});

export const TASK_MAX_FAILURES: ConfKey<number> = confKey({
  key: "spark.task.maxFailures",
  type: int,
  default: "4",
  since: "0.8.0",
  readBy: ["driver"],
  doc: "How often a task may fail until its job fails.",
});
