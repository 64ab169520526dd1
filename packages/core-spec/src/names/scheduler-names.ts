/**
 * How a driver pod tells the scheduler's gateway about itself, and the names that both share. Values for selectors are
 * labels, all others are annotations.
 */

/** Label: "true" on driver pods that the gateway manages. */
export const SCHEDULER_GATEWAY_LABEL = "scheduler.kindling/gateway";
/** Label: the queue of the application. Default: the gateway's default queue. */
export const SCHEDULER_QUEUE_LABEL = "scheduler.kindling/queue";
/**
 * Label: the LocalQueue of Kueue in which the application waits, in its own namespace. (Kueue's own label,
 * `kueue.x-k8s.io/queue-name`, would make Kueue manage the driver pod as a job of its own.)
 */
export const SCHEDULER_KUEUE_QUEUE_LABEL = "scheduler.kindling/kueue-queue";

/** Annotation: how many executors must fit before the driver starts; a whole number. */
export const SCHEDULER_MIN_EXECUTORS_ANNOTATION = "scheduler.kindling/min-executors";
/** Annotation: the priority, a whole number; higher values go first. */
export const SCHEDULER_PRIORITY_ANNOTATION = "scheduler.kindling/priority";
/** Annotation: the request of one executor pod of the default profile, `{"cpu":"1","memory":"1408Mi"}`. */
export const SCHEDULER_EXECUTOR_REQUEST_ANNOTATION = "scheduler.kindling/executor-request";
/**
 * Annotation: the nodes on which an executor of the default profile may run, as the part of its pod's spec with
 * `nodeSelector`, `affinity` and `tolerations`, as JSON. Default: those of the driver's pod.
 */
export const SCHEDULER_EXECUTOR_PLACEMENT_ANNOTATION = "scheduler.kindling/executor-placement";
/**
 * Annotation: how many of the executors may be on spot nodes, as JSON:
 * `{"share":0.7,"onDemand":["driver","minExecutors"],"fallback":true}`. Default: as the queue says.
 */
export const SCHEDULER_SPOT_ANNOTATION = "scheduler.kindling/spot";
/** Annotation: the ConfigMap with the steps that the gateway applies to the executors. Default: no steps. */
export const SCHEDULER_EXECUTOR_STEPS_ANNOTATION = "scheduler.kindling/executor-steps";

/**
 * Annotation: how the gateway deals with executors and drivers that end for lack of memory, as JSON:
 * `{"mode":"heal","max":8192,"taskCpus":1}`, with memory in MiB. Default: not at all.
 */
export const SCHEDULER_MEMORY_ANNOTATION = "scheduler.kindling/memory";
/**
 * Annotation of a driver: what the gateway has done about executors that ended for lack of memory, as JSON. Its member `words`
 * is for people. Only the gateway writes it.
 */
export const MEMORY_RECORD_ANNOTATION = "gateway.kindling/memory";

/** Annotation: how many executors the gateway creates before the driver asks for them; a whole number. Default: none. */
export const SCHEDULER_EARLY_EXECUTORS_ANNOTATION = "scheduler.kindling/early-executors";

/**
 * Annotation: part of a pod's spec as JSON, `{"nodeSelector":{"disk":"ssd"}}`. It lists sensitive settings (Secrets, node
 * selection, priority class and the like) that executors may have in addition to those of the driver's pod.
 */
export const SCHEDULER_EXECUTOR_ALLOWANCE_ANNOTATION = "scheduler.kindling/executor-allowance";

/** Annotation: `onFailure` or `always`. Without it, a driver that has ended is not restarted. */
export const SCHEDULER_DRIVER_RESTART_ANNOTATION = "scheduler.kindling/driver-restart";
/** Annotation: how often a driver may be restarted; a whole number. */
export const SCHEDULER_DRIVER_MAX_RESTARTS_ANNOTATION = "scheduler.kindling/driver-max-restarts";
/** Annotation: the pause before the first restart, in seconds. */
export const SCHEDULER_DRIVER_BACKOFF_ANNOTATION = "scheduler.kindling/driver-restart-backoff-seconds";
/** Annotation: how long a driver has to run until earlier restarts are forgotten, in seconds. */
export const SCHEDULER_DRIVER_RESET_ANNOTATION = "scheduler.kindling/driver-restart-reset-after-seconds";

/**
 * Finalizer of driver pods that the gateway starts again: even a deleted pod stays until the gateway has decided what comes
 * next.
 */
export const SCHEDULER_RESTART_FINALIZER = "scheduler.kindling/restart";
/** Annotation of a driver that has ended: the time when it is started again, RFC 3339. */
export const SCHEDULER_RESTART_AT_ANNOTATION = "scheduler.kindling/restart-at";
/** Annotation of a driver that was started again: the uid of the pod before it. */
export const SCHEDULER_RESTART_OF_ANNOTATION = "scheduler.kindling/restart-of";
/** Annotation: how often the application's driver has been started again, in all. */
export const SCHEDULER_RESTARTS_ANNOTATION = "scheduler.kindling/restarts";
/** Annotation: how many of those restarts count against the limit. */
export const SCHEDULER_RESTARTS_COUNTED_ANNOTATION = "scheduler.kindling/restarts-counted";
/** Annotation of a driver that was started again: how the driver before it ended, in words for people. */
export const SCHEDULER_LAST_END_ANNOTATION = "scheduler.kindling/last-end";

/** The value of `spark-role` on the pod that stands in for a driver between two of its pods. */
export const SCHEDULER_STAND_IN_ROLE = "driver-restart";

const STAND_IN_SUFFIX = "-restart";
const LONGEST_POD_NAME = 253;

/** The name of the pod that stands in for a driver pod. */
export function standInName(driver: string): string {
  return `${driver.slice(0, LONGEST_POD_NAME - STAND_IN_SUFFIX.length)}${STAND_IN_SUFFIX}`;
}

/** The scheduling gate of driver pods; the gateway removes it when there is room. */
export const SCHEDULER_ADMISSION_GATE = "scheduler.kindling/admission";

/** The ConfigMap in the namespaces of drivers that holds the gateway's certificates as `ca.crt`. */
export const SCHEDULER_CA_CONFIG_MAP = "kindling-gateway-ca";
/** The audience of the tokens that drivers show to the gateway. */
export const SCHEDULER_AUDIENCE = "kindling-gateway";
