import { confType, optionalConfKey, type ConfKey } from "@kindling/core-spec";
import { driverKey } from "./driver-key.ts";

const { boolean, int, text, time } = confType;

export const API_POLLING_INTERVAL: ConfKey<number> = driverKey(
  "spark.kubernetes.executor.apiPollingInterval",
  time("ms"),
  "30s",
  "2.4.0",
  "How often the driver lists its executor pods.",
);

export const CHECK_ALL_CONTAINERS: ConfKey<boolean> = driverKey(
  "spark.kubernetes.executor.checkAllContainers",
  boolean,
  [{ before: "all-containers-checked", text: "false" }, { text: "true" }],
  "3.1.0",
  "Whether a failing sidecar counts as a failing executor.",
);

export const DELETE_ON_TERMINATION: ConfKey<boolean> = driverKey(
  "spark.kubernetes.executor.deleteOnTermination",
  boolean,
  "true",
  "3.0.0",
  "Whether the pods of executors that ended are deleted.",
);

export const ENABLE_API_POLLING: ConfKey<boolean> = driverKey(
  "spark.kubernetes.executor.enableApiPolling",
  boolean,
  "true",
  "3.4.0",
  "Whether the driver lists its executor pods at all.",
);

export const ENABLE_API_WATCHER: ConfKey<boolean> = driverKey(
  "spark.kubernetes.executor.enableApiWatcher",
  boolean,
  "true",
  "3.4.0",
  "Whether the driver watches its executor pods.",
);

export const POLLING_WITH_RESOURCE_VERSION: ConfKey<boolean> = driverKey(
  "spark.kubernetes.executor.enablePollingWithResourceVersion",
  boolean,
  "false",
  "3.3.0",
  "Whether the API server may answer the driver's lists from its cache, which costs it much less.",
);

export const EVENT_PROCESSING_INTERVAL: ConfKey<number> = driverKey(
  "spark.kubernetes.executor.eventProcessingInterval",
  time("ms"),
  "1s",
  "2.4.0",
  "How often the driver processes what has happened to its executor pods.",
);

export const MISSING_POD_DETECT_DELTA: ConfKey<number> = driverKey(
  "spark.kubernetes.executor.missingPodDetectDelta",
  time("ms"),
  "30s",
  "3.1.1",
  "How long an executor must be registered before it counts as lost if its pod is missing.",
);

export const SUBSCRIBERS_SHUTDOWN_GRACE_PERIOD: ConfKey<number> = driverKey(
  "spark.kubernetes.executorSnapshotsSubscribersShutdownGracePeriod",
  time("s"),
  "20s",
  "3.4.0",
  "How long the driver waits at its end for its own threads that watch executors.",
);

export const DECOMMISSION_LABEL: ConfKey<string | undefined> = optionalConfKey({
  key: "spark.kubernetes.executor.decommissionLabel",
  type: text,
  since: "3.3.0",
  readBy: ["driver"],
  doc: "A label for the pods of executors that are being decommissioned. PodDisruptionBudgets can select them by it.",
});

export const DECOMMISSION_LABEL_VALUE: ConfKey<string | undefined> = optionalConfKey({
  key: "spark.kubernetes.executor.decommissionLabelValue",
  type: text,
  since: "3.3.0",
  readBy: ["driver"],
  doc: "The value of that label; empty if unset.",
});

export const POD_DELETION_COST: ConfKey<number | undefined> = optionalConfKey({
  key: "spark.kubernetes.executor.podDeletionCost",
  type: int,
  since: "4.2.0",
  readBy: ["driver"],
  doc: "The pod deletion cost of executors that should be removed, if a Deployment makes the executors.",
});

/** How a driver follows its executor pods, and when it deletes them. */
export const EXECUTOR_TRACKING_KEYS: readonly ConfKey<unknown>[] = [
  API_POLLING_INTERVAL,
  CHECK_ALL_CONTAINERS,
  DELETE_ON_TERMINATION,
  ENABLE_API_POLLING,
  ENABLE_API_WATCHER,
  POLLING_WITH_RESOURCE_VERSION,
  EVENT_PROCESSING_INTERVAL,
  MISSING_POD_DETECT_DELTA,
  SUBSCRIBERS_SHUTDOWN_GRACE_PERIOD,
  DECOMMISSION_LABEL,
  DECOMMISSION_LABEL_VALUE,
  POD_DELETION_COST,
];
