import { confType, type ConfKey } from "@kindling/core-spec";
import { driverKey } from "./driver-key.ts";

const { bytes, double, int, text, time } = confType;

/** Long.MaxValue. */
const NO_MAXIMUM = "9223372036854775807b";

/** Settings of Spark's plugins that replace executors or make them larger. */
export const EXECUTOR_PLUGIN_KEYS: readonly ConfKey<unknown>[] = [
  driverKey(
    "spark.kubernetes.executor.minTasksPerExecutorBeforeRolling",
    int,
    "0",
    "3.3.0",
    "How many tasks an executor must have run before it may be rolled.",
  ),
  driverKey(
    "spark.kubernetes.executor.rollInterval",
    time("s"),
    "0",
    "3.3.0",
    "How often the executor roll plugin replaces one executor by a new one; 0 is never.",
  ),
  driverKey(
    "spark.kubernetes.executor.rollPolicy",
    text,
    "OUTLIER",
    "3.3.0",
    "Which executor is rolled: ID, ADD_TIME, TOTAL_GC_TIME, TOTAL_DURATION, AVERAGE_DURATION, FAILED_TASKS, PEAK_JVM_ONHEAP_MEMORY, PEAK_JVM_OFFHEAP_MEMORY, TOTAL_SHUFFLE_WRITE, DISK_USED, OUTLIER or OUTLIER_NO_FALLBACK.",
  ),
  driverKey(
    "spark.kubernetes.executor.resizeFactor",
    double,
    "0.1",
    "4.2.0",
    "By how much the executor resize plugin grows an executor's memory.",
  ),
  driverKey(
    "spark.kubernetes.executor.resizeInterval",
    time("s"),
    "1m",
    "4.2.0",
    "How often the executor resize plugin looks at executors; 0 is never.",
  ),
  driverKey(
    "spark.kubernetes.executor.resizeThreshold",
    double,
    "0.9",
    "4.2.0",
    "An executor is resized when it uses this part of its memory.",
  ),
  driverKey(
    "spark.kubernetes.executor.resizeMaxMemory",
    bytes("b"),
    NO_MAXIMUM,
    "4.4.0",
    "How much memory the executor resize plugin gives an executor's container at most. Spark 4.3.0 and older do not read it.",
  ),
  driverKey(
    "spark.kubernetes.executor.pvc.resizeMaxStorage",
    bytes("b"),
    NO_MAXIMUM,
    "4.4.0",
    "To how much the claim resize plugin grows a claim at most. Spark 4.3.0 and older do not read it.",
  ),
  driverKey(
    "spark.kubernetes.executor.pvc.resizeFactor",
    double,
    "1.0",
    "4.2.0",
    "By how much the claim resize plugin grows an executor's claim.",
  ),
  driverKey(
    "spark.kubernetes.executor.pvc.resizeInterval",
    time("min"),
    "5",
    "4.2.0",
    "How often the claim resize plugin looks at claims, in minutes; 0 is never.",
  ),
  driverKey(
    "spark.kubernetes.executor.pvc.resizeThreshold",
    double,
    "0.5",
    "4.2.0",
    "A claim is resized when this part of its space is used.",
  ),
];
