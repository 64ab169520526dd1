import { confKey, confType, type ConfKey } from "@kindling/core-spec";
import { driverKey } from "./driver-key.ts";

const { int, time } = confType;

const INT_MAX = "2147483647";

export const BATCH_DELAY: ConfKey<number> = driverKey(
  "spark.kubernetes.allocation.batch.delay",
  time("ms"),
  "1s",
  "2.3.0",
  "How long the driver waits between two rounds of asking for executors.",
);

export const BATCH_SIZE: ConfKey<number> = driverKey(
  "spark.kubernetes.allocation.batch.size",
  int,
  [
    { before: "allocation-batches-of-10", text: "5" },
    { before: "allocation-batches-of-20", text: "10" },
    { text: "20" },
  ],
  "2.3.0",
  "How many executors the driver asks for in one round.",
);

export const DRIVER_READINESS_TIMEOUT: ConfKey<number> = driverKey(
  "spark.kubernetes.allocation.driver.readinessTimeout",
  time("s"),
  "1s",
  "3.1.3",
  "How long the driver waits for its own pod to be ready before it asks for executors.",
);

export const ALLOCATION_EXECUTOR_TIMEOUT: ConfKey<number> = driverKey(
  "spark.kubernetes.allocation.executor.timeout",
  time("ms"),
  "600s",
  "3.1.0",
  "How long the driver waits for an executor pod that it has asked for and never seen. Then it gives the pod up.",
);

export const ALLOCATION_MAXIMUM: ConfKey<number> = driverKey(
  "spark.kubernetes.allocation.maximum",
  int,
  INT_MAX,
  "4.1.0",
  "How many executor pods an application may ask for in all.",
);

export const MAX_PENDING_PODS: ConfKey<number> = driverKey(
  "spark.kubernetes.allocation.maxPendingPods",
  int,
  INT_MAX,
  "3.2.0",
  "How many executor pods may be pending at a time.",
);

export const MAX_PENDING_PODS_PER_RP: ConfKey<number> = driverKey(
  "spark.kubernetes.allocation.maxPendingPodsPerRp",
  int,
  INT_MAX,
  "4.1.0",
  "How many executor pods of one resource profile may be pending at a time.",
);

export const DELETE_GRACE_PERIOD: ConfKey<number> = driverKey(
  "spark.kubernetes.dynamicAllocation.deleteGracePeriod",
  time("ms"),
  "5s",
  "3.0.0",
  "How long executors may take to stop by themselves before their pods are deleted.",
);

export const EXECUTOR_INSTANCES: ConfKey<number> = confKey({
  key: "spark.executor.instances",
  type: int,
  default: "2",
  since: "1.0.0",
  readBy: ["submit", "driver"],
  doc: "How many executors the driver asks for without dynamic allocation. With dynamic allocation, how many it asks for at first, if that is more than the other keys say.",
});

/** How many executors a driver asks for, and how fast. */
export const ALLOCATION_KEYS: readonly ConfKey<unknown>[] = [
  BATCH_DELAY,
  BATCH_SIZE,
  DRIVER_READINESS_TIMEOUT,
  ALLOCATION_EXECUTOR_TIMEOUT,
  ALLOCATION_MAXIMUM,
  MAX_PENDING_PODS,
  MAX_PENDING_PODS_PER_RP,
  DELETE_GRACE_PERIOD,
  EXECUTOR_INSTANCES,
];
