import { confKey, confType, optionalConfKey, type ConfKey } from "@kindling/core-spec";

const { boolean, bytes, checked, double, int, text } = confType;

export const DRIVER_CORES: ConfKey<number> = confKey({
  key: "spark.driver.cores",
  type: int,
  default: "1",
  since: "1.3.0",
  readBy: ["submit"],
  doc: "The driver's cores: its CPU request, unless spark.kubernetes.driver.request.cores is set.",
});

export const DRIVER_REQUEST_CORES: ConfKey<string | undefined> = optionalConfKey({
  key: "spark.kubernetes.driver.request.cores",
  type: text,
  since: "3.0.0",
  readBy: ["submit"],
  doc: "The driver pod's CPU request, as a Kubernetes quantity such as 500m.",
});

export const DRIVER_LIMIT_CORES: ConfKey<string | undefined> = optionalConfKey({
  key: "spark.kubernetes.driver.limit.cores",
  type: text,
  since: "2.3.0",
  readBy: ["submit"],
  doc: "The driver pod's CPU limit, as a Kubernetes quantity. If unset, there is no limit.",
});

export const DRIVER_MEMORY: ConfKey<number> = confKey({
  key: "spark.driver.memory",
  type: bytes("m"),
  default: "1g",
  since: "1.1.1",
  readBy: ["submit"],
  doc: "The driver's heap. The pod's memory is the heap plus the overhead.",
});

export const DRIVER_MEMORY_OVERHEAD: ConfKey<number | undefined> = optionalConfKey({
  key: "spark.driver.memoryOverhead",
  type: bytes("m"),
  since: "2.3.0",
  readBy: ["submit"],
  alternatives: ["spark.yarn.driver.memoryOverhead"],
  doc: "The driver's memory besides the heap. If unset, a fraction of the heap with a minimum.",
});

export const DRIVER_MEMORY_OVERHEAD_FACTOR: ConfKey<number> = confKey({
  key: "spark.driver.memoryOverheadFactor",
  type: checked(double, (factor) => factor > 0, "a number greater than 0"),
  default: "0.1",
  since: "3.3.0",
  readBy: ["submit"],
  doc: "The driver's overhead as a fraction of its heap. When set, it wins over spark.kubernetes.memoryOverheadFactor.",
});

export const DRIVER_MIN_MEMORY_OVERHEAD: ConfKey<number> = confKey({
  key: "spark.driver.minMemoryOverhead",
  type: bytes("m"),
  default: "384m",
  since: "4.0.0",
  readBy: ["submit"],
  doc: "The minimum memory overhead of the driver. Before Spark 4.0, it is always 384 MiB.",
});

export const MEMORY_OVERHEAD_FACTOR: ConfKey<number> = confKey({
  key: "spark.kubernetes.memoryOverheadFactor",
  type: checked(double, (factor) => factor >= 0, "a number that is not negative"),
  default: "0.1",
  since: "2.4.0",
  readBy: ["submit", "executor"],
  doc: "Memory overhead as a fraction of the heap, for driver and executors. If unset, 0.1 for JVM applications and 0.4 for Python and R.",
});

export const EXECUTOR_CORES: ConfKey<number> = confKey({
  key: "spark.executor.cores",
  type: int,
  default: "1",
  since: "1.0.0",
  readBy: ["executor"],
  doc: "How many tasks an executor runs at a time. It is also the CPU request, unless spark.kubernetes.executor.request.cores is set.",
});

export const EXECUTOR_REQUEST_CORES: ConfKey<string | undefined> = optionalConfKey({
  key: "spark.kubernetes.executor.request.cores",
  type: text,
  since: "2.4.0",
  readBy: ["executor"],
  doc: "Each executor pod's CPU request, as a Kubernetes quantity. It does not change how many tasks run at a time.",
});

export const EXECUTOR_LIMIT_CORES: ConfKey<string | undefined> = optionalConfKey({
  key: "spark.kubernetes.executor.limit.cores",
  type: text,
  since: "2.3.0",
  readBy: ["executor"],
  doc: "Each executor pod's CPU limit, as a Kubernetes quantity. From Spark 4.1 on it may not be less than the request.",
});

export const EXECUTOR_MEMORY: ConfKey<number> = confKey({
  key: "spark.executor.memory",
  type: bytes("m"),
  default: "1g",
  since: "0.7.0",
  readBy: ["executor"],
  doc: "An executor's heap. The pod's memory is the heap plus the overhead, and off-heap and Python memory if they are set.",
});

export const EXECUTOR_MEMORY_OVERHEAD: ConfKey<number | undefined> = optionalConfKey({
  key: "spark.executor.memoryOverhead",
  type: bytes("m"),
  since: "2.3.0",
  readBy: ["executor"],
  alternatives: ["spark.yarn.executor.memoryOverhead"],
  doc: "An executor's memory besides the heap. If unset, a fraction of the heap with a minimum.",
});

export const EXECUTOR_MEMORY_OVERHEAD_FACTOR: ConfKey<number> = confKey({
  key: "spark.executor.memoryOverheadFactor",
  type: checked(double, (factor) => factor > 0, "a number greater than 0"),
  default: "0.1",
  since: "3.3.0",
  readBy: ["executor"],
  doc: "An executor's overhead as a fraction of its heap. When set, it wins over spark.kubernetes.memoryOverheadFactor.",
});

export const EXECUTOR_MIN_MEMORY_OVERHEAD: ConfKey<number> = confKey({
  key: "spark.executor.minMemoryOverhead",
  type: bytes("m"),
  default: "384m",
  since: "4.0.0",
  readBy: ["executor"],
  doc: "The minimum memory overhead of an executor. Before Spark 4.0, it is always 384 MiB.",
});

export const PYSPARK_MEMORY: ConfKey<number | undefined> = optionalConfKey({
  key: "spark.executor.pyspark.memory",
  type: bytes("m"),
  since: "2.4.0",
  readBy: ["executor"],
  doc: "Memory for Python in each executor of a Python application, added to the pod's memory.",
});

export const OFF_HEAP_ENABLED: ConfKey<boolean> = confKey({
  key: "spark.memory.offHeap.enabled",
  type: boolean,
  default: "false",
  since: "1.6.0",
  readBy: ["executor"],
  doc: "Whether Spark uses off-heap memory. Its size is spark.memory.offHeap.size, and it is added to each executor pod's memory.",
});

export const OFF_HEAP_SIZE: ConfKey<number> = confKey({
  key: "spark.memory.offHeap.size",
  type: checked(bytes("b"), (value) => value >= 0, "a size that is not negative"),
  default: "0b",
  since: "1.6.0",
  readBy: ["executor"],
  doc: "Off-heap memory of each executor.",
});

export const TASK_CPUS: ConfKey<string> = confKey({
  key: "spark.task.cpus",
  type: text,
  default: "1",
  since: "0.5.0",
  readBy: ["driver", "executor"],
  doc: "How many cores one task takes.",
});
