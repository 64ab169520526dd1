import { confKey, confType, type ConfKey } from "@kindling/core-spec";
import { driverKey } from "./driver-key.ts";

const { int, time } = confType;

const INT_MAX = "2147483647";

/** How many executors a driver asks for, and how fast. */
export const ALLOCATION_KEYS: readonly ConfKey<unknown>[] = [
  driverKey(
    "spark.kubernetes.allocation.batch.delay",
    time("ms"),
    "1s",
    "2.3.0",
    "How long the driver waits between two rounds of asking for executors.",
  ),
  driverKey(
    "spark.kubernetes.allocation.batch.size",
    int,
    [
      { before: "allocation-batches-of-10", text: "5" },
      { before: "allocation-batches-of-20", text: "10" },
      { text: "20" },
    ],
    "2.3.0",
    "How many executors the driver asks for in one round.",
  ),
  driverKey(
    "spark.kubernetes.allocation.driver.readinessTimeout",
    time("s"),
    "1s",
    "3.1.3",
    "How long the driver waits for its own pod to be ready before it asks for executors.",
  ),
  driverKey(
    "spark.kubernetes.allocation.executor.timeout",
    time("ms"),
    "600s",
    "3.1.0",
    "After how long an executor pod that was asked for but never seen is given up.",
  ),
  driverKey(
    "spark.kubernetes.allocation.maximum",
    int,
    INT_MAX,
    "4.1.0",
    "How many executor pods an application may ask for in its whole life.",
  ),
  driverKey(
    "spark.kubernetes.allocation.maxPendingPods",
    int,
    INT_MAX,
    "3.2.0",
    "How many executor pods may be pending at a time.",
  ),
  driverKey(
    "spark.kubernetes.allocation.maxPendingPodsPerRp",
    int,
    INT_MAX,
    "4.1.0",
    "How many executor pods of one resource profile may be pending at a time.",
  ),
  driverKey(
    "spark.kubernetes.dynamicAllocation.deleteGracePeriod",
    time("ms"),
    "5s",
    "3.0.0",
    "How long executors have to stop by themselves before their pods are deleted.",
  ),
  confKey({
    key: "spark.executor.instances",
    type: int,
    default: "2",
    since: "1.0.0",
    readBy: ["driver"],
    doc: "How many executors the driver asks for, without dynamic allocation.",
  }),
];
