import { confKey, confType, optionalConfKey, type ConfKey, type KeyDeclaration, type VersionedDefault } from "@kindling/core-spec";

// Keys that only a running driver reads. Nothing here interprets them: they are passed on, and are declared so that the
// reference of keys is whole. Defaults are those of Spark 3.5.9 to 4.3.0.

const { boolean, double, int, text, time } = confType;

function driverKey<T>(
  key: string,
  type: KeyDeclaration<T>["type"],
  fallback: string | readonly VersionedDefault[],
  since: string,
  doc: string,
): ConfKey<T> {
  return confKey({ key, type, default: fallback, since, readBy: ["driver"], doc });
}

const INT_MAX = "2147483647";

export const DRIVER_KEYS: readonly ConfKey<unknown>[] = [
  driverKey("spark.kubernetes.allocation.batch.delay", time("ms"), "1s", "2.3.0", "How long the driver waits between two rounds of asking for executors."),
  driverKey(
    "spark.kubernetes.allocation.batch.size",
    int,
    [{ until: "4.0", text: "5" }, { until: "4.2", text: "10" }, { text: "20" }],
    "2.3.0",
    "How many executors the driver asks for in one round.",
  ),
  driverKey("spark.kubernetes.allocation.driver.readinessTimeout", time("s"), "1s", "3.1.3", "How long the driver waits for its own pod to be ready before it asks for executors."),
  driverKey("spark.kubernetes.allocation.executor.timeout", time("ms"), "600s", "3.1.0", "After how long an executor pod that was asked for but never seen is given up."),
  driverKey("spark.kubernetes.allocation.maximum", int, INT_MAX, "4.1.0", "How many executor pods an application may ask for in its whole life."),
  driverKey("spark.kubernetes.allocation.maxPendingPods", int, INT_MAX, "3.2.0", "How many executor pods may be pending at a time."),
  driverKey("spark.kubernetes.allocation.maxPendingPodsPerRp", int, INT_MAX, "4.1.0", "How many executor pods of one resource profile may be pending at a time."),
  driverKey("spark.kubernetes.driver.annotateExitException", boolean, "false", "4.1.0", "Whether a driver that fails writes its exception into an annotation of its pod."),
  driverKey("spark.kubernetes.driver.connectionTimeout", int, "10000", "3.0.0", "How long a connection of the driver's to the API server may take, in milliseconds."),
  driverKey("spark.kubernetes.driver.requestTimeout", int, "10000", "3.0.0", "How long one request of the driver's to the API server may take, in milliseconds."),
  driverKey("spark.kubernetes.driver.master", text, "https://kubernetes.default.svc", "3.0.0", "The API server that the driver talks to, as it is reached from inside the cluster."),
  driverKey("spark.kubernetes.driver.ownPersistentVolumeClaim", boolean, "true", "3.2.0", "Whether claims made on demand belong to the driver, so that they outlive their executor."),
  driverKey("spark.kubernetes.driver.reusePersistentVolumeClaim", boolean, "true", "3.2.0", "Whether a new executor takes over the claim of one that is gone."),
  driverKey("spark.kubernetes.driver.waitToReusePersistentVolumeClaim", boolean, "false", "3.4.0", "Whether the driver rather waits for a claim to become free than makes a further one."),
  driverKey("spark.kubernetes.driver.service.deleteOnTermination", boolean, "true", "3.2.0", "Whether the driver deletes its Service at its end."),
  driverKey("spark.kubernetes.dynamicAllocation.deleteGracePeriod", time("ms"), "5s", "3.0.0", "How long executors have to stop by themselves before their pods are deleted."),
  driverKey("spark.kubernetes.executor.apiPollingInterval", time("ms"), "30s", "2.4.0", "How often the driver lists its executor pods."),
  driverKey(
    "spark.kubernetes.executor.checkAllContainers",
    boolean,
    [{ until: "4.0", text: "false" }, { text: "true" }],
    "3.1.0",
    "Whether a failing sidecar counts as a failing executor.",
  ),
  driverKey("spark.kubernetes.executor.deleteOnTermination", boolean, "true", "3.0.0", "Whether the pods of executors that ended are deleted."),
  driverKey("spark.kubernetes.executor.enableApiPolling", boolean, "true", "3.4.0", "Whether the driver lists its executor pods at all."),
  driverKey("spark.kubernetes.executor.enableApiWatcher", boolean, "true", "3.4.0", "Whether the driver watches its executor pods."),
  driverKey("spark.kubernetes.executor.enablePollingWithResourceVersion", boolean, "false", "3.3.0", "Whether the driver's lists may come out of the API server's cache, which is much cheaper for it."),
  driverKey("spark.kubernetes.executor.eventProcessingInterval", time("ms"), "1s", "2.4.0", "How often the driver looks at what happened to its executor pods."),
  driverKey("spark.kubernetes.executor.missingPodDetectDelta", time("ms"), "30s", "3.1.1", "How long an executor must be registered before a missing pod counts as lost."),
  driverKey("spark.kubernetes.executor.minTasksPerExecutorBeforeRolling", int, "0", "3.3.0", "How many tasks an executor must have run before it is rolled."),
  driverKey("spark.kubernetes.executor.rollInterval", time("s"), "0", "3.3.0", "How often one executor is replaced by a new one, with the executor roll plugin; 0 is never."),
  driverKey("spark.kubernetes.executor.rollPolicy", text, "OUTLIER", "3.3.0", "Which executor is rolled: ID, ADD_TIME, TOTAL_GC_TIME, TOTAL_DURATION, AVERAGE_DURATION, FAILED_TASKS, PEAK_JVM_ONHEAP_MEMORY, PEAK_JVM_OFFHEAP_MEMORY, TOTAL_SHUFFLE_WRITE, DISK_USED, OUTLIER or OUTLIER_NO_FALLBACK."),
  driverKey("spark.kubernetes.executor.resizeFactor", double, "0.1", "4.2.0", "By how much the executor resize plugin grows an executor's memory."),
  driverKey("spark.kubernetes.executor.resizeInterval", time("s"), "1m", "4.2.0", "How often the executor resize plugin looks at executors; 0 is never."),
  driverKey("spark.kubernetes.executor.resizeThreshold", double, "0.9", "4.2.0", "From which use of its memory on an executor is resized."),
  driverKey("spark.kubernetes.executor.pvc.resizeFactor", double, "1.0", "4.2.0", "By how much the claim resize plugin grows an executor's claim."),
  driverKey("spark.kubernetes.executor.pvc.resizeInterval", time("min"), "5", "4.2.0", "How often the claim resize plugin looks at claims, in minutes; 0 is never."),
  driverKey("spark.kubernetes.executor.pvc.resizeThreshold", double, "0.5", "4.2.0", "From which use of its space on a claim is resized."),
  driverKey("spark.kubernetes.executorSnapshotsSubscribersShutdownGracePeriod", time("s"), "20s", "3.4.0", "How long the driver waits at its end for its own threads that follow executors."),
  optionalConfKey({
    key: "spark.kubernetes.executor.decommissionLabel",
    type: text,
    since: "3.3.0",
    readBy: ["driver"],
    doc: "A label for the pods of executors that are being decommissioned, for PodDisruptionBudgets to go by.",
  }),
  optionalConfKey({
    key: "spark.kubernetes.executor.decommissionLabelValue",
    type: text,
    since: "3.3.0",
    readBy: ["driver"],
    doc: "The value of that label; empty if unset.",
  }),
  optionalConfKey({
    key: "spark.kubernetes.executor.podDeletionCost",
    type: int,
    since: "4.2.0",
    readBy: ["driver"],
    doc: "The pod deletion cost of executors that are to go, where a Deployment holds them.",
  }),
  confKey({
    key: "spark.kubernetes.jars.avoidDownloadSchemes",
    type: confType.list,
    default: "",
    since: "4.0.0",
    readBy: ["driver"],
    doc: "Schemes of jars that executors fetch by themselves instead of through the driver; * is all.",
  }),
  confKey({
    key: "spark.executor.instances",
    type: int,
    default: "2",
    since: "1.0.0",
    readBy: ["driver"],
    doc: "How many executors the driver asks for, without dynamic allocation.",
  }),
];
