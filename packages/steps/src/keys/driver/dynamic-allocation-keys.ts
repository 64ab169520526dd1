import { confKey, confType, optionalConfKey, type ConfKey } from "@kindling/core-spec";

const { boolean, int, time } = confType;

const INT_MAX = "2147483647";

export const DYNAMIC_ALLOCATION: ConfKey<boolean> = confKey({
  key: "spark.dynamicAllocation.enabled",
  type: boolean,
  default: "false",
  since: "1.2.0",
  readBy: ["submit", "driver"],
  doc: "Whether the driver asks for as many executors as it has work for.",
});

export const DYNAMIC_MIN_EXECUTORS: ConfKey<number> = confKey({
  key: "spark.dynamicAllocation.minExecutors",
  type: int,
  default: "0",
  since: "1.2.0",
  readBy: ["submit", "driver"],
  doc: "With dynamic allocation, the minimum number of executors.",
});

export const DYNAMIC_INITIAL_EXECUTORS: ConfKey<number | undefined> = optionalConfKey({
  key: "spark.dynamicAllocation.initialExecutors",
  type: int,
  since: "1.3.0",
  readBy: ["submit", "driver"],
  doc: "With dynamic allocation, the number of executors that the driver asks for at first; spark.dynamicAllocation.minExecutors if unset.",
});

export const DYNAMIC_MAX_EXECUTORS: ConfKey<number> = confKey({
  key: "spark.dynamicAllocation.maxExecutors",
  type: int,
  default: INT_MAX,
  since: "1.2.0",
  readBy: ["submit", "driver"],
  doc: "With dynamic allocation, the maximum number of executors.",
});

export const EXECUTOR_IDLE_TIMEOUT: ConfKey<number> = confKey({
  key: "spark.dynamicAllocation.executorIdleTimeout",
  type: time("s"),
  default: "60s",
  since: "1.2.0",
  readBy: ["driver"],
  doc: "With dynamic allocation, how long an idle executor is kept.",
});

export const MAX_EXECUTOR_FAILURES: ConfKey<number | undefined> = optionalConfKey({
  key: "spark.executor.maxNumFailures",
  type: int,
  since: "3.5.0",
  readBy: ["driver"],
  doc: "How many executors may fail before the application fails. If unset, twice the number of executors that it may have, and at least 3.",
});

export const FAILURES_VALIDITY_INTERVAL: ConfKey<number | undefined> = optionalConfKey({
  key: "spark.executor.failuresValidityInterval",
  type: time("ms"),
  since: "3.5.0",
  readBy: ["driver"],
  doc: "After how long the failure of an executor no longer counts. If unset, it always counts.",
});

/** How many executors a driver has, with dynamic allocation. */
export const DYNAMIC_ALLOCATION_KEYS: readonly ConfKey<unknown>[] = [
  DYNAMIC_ALLOCATION,
  DYNAMIC_MIN_EXECUTORS,
  DYNAMIC_INITIAL_EXECUTORS,
  DYNAMIC_MAX_EXECUTORS,
  EXECUTOR_IDLE_TIMEOUT,
  MAX_EXECUTOR_FAILURES,
  FAILURES_VALIDITY_INTERVAL,
];
