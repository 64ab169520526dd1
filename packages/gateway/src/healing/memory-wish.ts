import { SCHEDULER_MEMORY_ANNOTATION } from "@kindling/core-spec";
import type { KubeObject } from "@kindling/kube-objects";
import { type ExecutorSize, readSize } from "./executor-size.ts";
import { jsonObjectIn } from "../json/fields.ts";
import { isGatewayDriver } from "../spark/spark-pod.ts";

/** What an application wants if an executor or its driver ends for lack of memory. */
export interface MemoryWish {
  /** Whether it begins with what earlier runs needed. */
  readonly learns: boolean;
  /** The least memory of an executor's pod, in MiB; 0 if nothing is set. */
  readonly least: number;
  /** The port of the driver's web UI; `undefined` if there is no UI, or if it has TLS. */
  readonly uiPort: number | undefined;
  /** The most memory of one pod, in MiB; `undefined`: three times as much as the pod asks for at first. */
  readonly most: number | undefined;
  /** How many CPUs one task takes (`spark.task.cpus`), as a whole number. */
  readonly taskCpus: number;
  /** How much of an executor's limit is off-heap memory and Python's share, in MiB: they have keys of their own. */
  readonly beside: number;
  /** How often Spark tries a task (`spark.task.maxFailures`). */
  readonly attempts: number;
  /** The sizes that the configuration asks for: the driver's heap, in MiB, and executors of the default profile. */
  readonly driverHeap: number | undefined;
  readonly executor: ExecutorSize | undefined;
  /** Whether ended executors stay in the cluster (`spark.kubernetes.executor.deleteOnTermination=false`). */
  readonly keepsEnded: boolean;
}

/** Reads the annotation that `spark.kindling.memory=heal` puts on a driver's pod; `undefined` if it is not there or not valid. */
export function memoryWish(driver: KubeObject): MemoryWish | undefined {
  if (!isGatewayDriver(driver)) return undefined;
  const wish = jsonObjectIn(driver.metadata.annotations?.[SCHEDULER_MEMORY_ANNOTATION]);
  const mode = wish?.["mode"];
  if (wish === undefined || (mode !== "heal" && mode !== "learn")) return undefined;
  return {
    learns: mode === "learn",
    least: positive(wish["min"]) ?? 0,
    uiPort: positive(wish["uiPort"]),
    most: positive(wish["max"]),
    taskCpus: positive(wish["taskCpus"]) ?? 1,
    beside: positive(wish["beside"]) ?? 0,
    attempts: positive(wish["attempts"]) ?? 4,
    driverHeap: positive(wish["driverHeap"]),
    executor: readSize(wish["executor"]),
    keepsEnded: wish["keepsEnded"] === true,
  };
}

function positive(value: unknown): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value > 0 ? value : undefined;
}
