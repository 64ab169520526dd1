import {
  KindlingError,
  SCHEDULER_MEMORY_ANNOTATION,
  type KubernetesDriverSpec,
  type SparkConf,
  type Step,
} from "@kindling/core-spec";
import { DELETE_ON_TERMINATION } from "../../keys/driver/executor-tracking-keys.ts";
import { UI_PORT } from "../../keys/pod-keys.ts";
import { DRIVER_MEMORY, EXECUTOR_CORES, EXECUTOR_MEMORY, TASK_CPUS } from "../../keys/resource-keys.ts";
import { onDriver, withSparkConf } from "../../spark-pod.ts";
import { uiTlsPort } from "../../ui-tls-port.ts";
import { PODS_ALLOCATOR } from "../basic/basic-executor.ts";
import { RECOVERY_MODE } from "../basic/executor-env.ts";
import { EXECUTOR_DEFAULT_JAVA_OPTIONS, EXECUTOR_JAVA_OPTIONS } from "../basic/executor-java-options.ts";
import { executorMemory, memoryBesideHeap } from "../basic/memory.ts";
import { startedConf } from "../scheduler/executor-template.ts";
import { localQueueIn, SCHEDULER, SCHEDULER_QUEUE } from "../scheduler/scheduler-keys.ts";
import {
  MEMORY,
  MEMORY_MAX,
  MEMORY_MIN,
  METRICS_POLLING_INTERVAL,
  PROCESS_TREE_METRICS,
  TASK_MAX_FAILURES,
  UI_ENABLED,
} from "./memory-keys.ts";

/**
 * Asks the gateway to give more memory to the successors of pods that end for lack of it (spark.kindling.memory). It sets
 * what Spark itself needs for that, unless the user has set it, and has no counterpart in Spark.
 */
export const memory: Step = {
  name: "memory",
  keys: [
    MEMORY,
    MEMORY_MAX,
    MEMORY_MIN,
    UI_ENABLED,
    UI_PORT,
    PROCESS_TREE_METRICS,
    METRICS_POLLING_INTERVAL,
    SCHEDULER,
    PODS_ALLOCATOR,
    SCHEDULER_QUEUE,
    DRIVER_MEMORY,
    EXECUTOR_MEMORY,
    EXECUTOR_CORES,
    TASK_CPUS,
    TASK_MAX_FAILURES,
    DELETE_ON_TERMINATION,
    RECOVERY_MODE,
    EXECUTOR_JAVA_OPTIONS,
    EXECUTOR_DEFAULT_JAVA_OPTIONS,
  ],
  // One option is added to those of the user.
  overrides: [`driverSparkConf[${EXECUTOR_DEFAULT_JAVA_OPTIONS.key}]`],
  configureDriver(spec, submission) {
    const { conf, notice } = submission;
    if (conf.get(MEMORY) === "off") {
      for (const key of [MEMORY_MAX, MEMORY_MIN])
        if (conf.has(key)) notice(`${key.key} has no effect without ${MEMORY.key}=heal or learn`);
      return spec;
    }
    if (conf.get(MEMORY) === "heal" && conf.has(MEMORY_MIN))
      notice(`${MEMORY_MIN.key} has no effect without ${MEMORY.key}=learn`);
    refuseWithoutGateway(conf);
    const started = startedConf(spec, submission.sparkVersion);
    const { heap, total } = executorMemory({ conf: started, resourceProfile: { id: 0 } });
    const wish = {
      mode: conf.get(MEMORY),
      max: conf.get(MEMORY_MAX),
      min: conf.get(MEMORY_MIN),
      uiPort: uiPort(conf),
      taskCpus: Math.max(1, Math.ceil(Number(conf.get(TASK_CPUS)) || 1)),
      attempts: conf.get(TASK_MAX_FAILURES),
      beside: memoryBesideHeap(submission),
      driverHeap: conf.get(DRIVER_MEMORY),
      executor: { heap, total, slots: conf.get(EXECUTOR_CORES) },
      keepsEnded: !conf.get(DELETE_ON_TERMINATION),
    };
    const annotations = { [SCHEDULER_MEMORY_ANNOTATION]: JSON.stringify(wish) };
    return withSparkConf(annotated(spec, annotations), {
      ...exitOnFullHeap(conf),
      ...ownRecovery(conf),
      ...measured(conf),
    });
  },
};

function refuseWithoutGateway(conf: SparkConf): void {
  const how = `${MEMORY.key}=${conf.get(MEMORY)}`;
  if (conf.get(SCHEDULER) !== "gateway") {
    const what = `${how} needs ${SCHEDULER.key}=gateway: it is the gateway that gives executors more memory`;
    throw new KindlingError("CONF_CONFLICT", what, {
      hint: `set ${SCHEDULER.key}=gateway, or leave ${MEMORY.key} out`,
    });
  }
  const queue = conf.get(SCHEDULER_QUEUE) ?? "";
  if (localQueueIn(queue) !== undefined) {
    const what = `${how} needs a queue of the gateway: Kueue has admitted executors with the memory that they ask for`;
    throw new KindlingError("CONF_CONFLICT", what, {
      hint: `name another ${SCHEDULER_QUEUE.key}, or leave ${MEMORY.key} out`,
    });
  }
  const allocator = conf.get(PODS_ALLOCATOR);
  if (allocator === "direct") return;
  const what = `${how} needs ${PODS_ALLOCATOR.key}=direct: with ${allocator}, Kubernetes makes all executors alike`;
  throw new KindlingError("CONF_CONFLICT", what, {
    hint: `leave ${PODS_ALLOCATOR.key} out, or leave ${MEMORY.key} out`,
  });
}

const HAS_OWN_WAY = /-XX:(?:\+(?:ExitOn|CrashOn)|On)OutOfMemoryError/;
const EXIT_ON_FULL_HEAP = "-XX:+ExitOnOutOfMemoryError";

/**
 * An executor whose heap is full ends at once, as on YARN (YarnSparkHadoopUtil.addOutOfMemoryErrorArgument). Otherwise its task
 * fails first, on small executors again and again, until `spark.task.maxFailures` is used up.
 */
function exitOnFullHeap(conf: SparkConf): Record<string, string> {
  const [defaults, own] = [conf.raw(EXECUTOR_DEFAULT_JAVA_OPTIONS.key), conf.raw(EXECUTOR_JAVA_OPTIONS.key)];
  if (HAS_OWN_WAY.test(`${defaults ?? ""} ${own ?? ""}`)) return {};
  return { [EXECUTOR_DEFAULT_JAVA_OPTIONS.key]: [defaults, EXIT_ON_FULL_HEAP].filter(Boolean).join(" ") };
}

/** Since 4.2, Spark runs one task at a time in all further executors after one has had too little memory. Memory comes first. */
function ownRecovery(conf: SparkConf): Record<string, string> {
  return conf.version.has("recovery-mode") && !conf.has(RECOVERY_MODE) ? { [RECOVERY_MODE.key]: "false" } : {};
}

/**
 * What the processes of an executor take is the measure of its container. Spark looks at it with each heartbeat, every ten
 * seconds. That is too seldom to learn what is enough.
 */
function measured(conf: SparkConf): Record<string, string> {
  const isOften = conf.get(MEMORY) === "learn" && !conf.has(METRICS_POLLING_INTERVAL);
  return {
    ...(!conf.has(PROCESS_TREE_METRICS) && { [PROCESS_TREE_METRICS.key]: "true" }),
    ...(isOften && { [METRICS_POLLING_INTERVAL.key]: "2s" }),
  };
}

/** The port of the web UI, where the gateway asks how much executors use; with TLS it does not ask. */
function uiPort(conf: SparkConf): number | undefined {
  const port = conf.get(UI_PORT);
  return conf.get(UI_ENABLED) && port > 0 && uiTlsPort(conf.entries, port) === undefined ? port : undefined;
}

function annotated(spec: KubernetesDriverSpec, added: Readonly<Record<string, string>>): KubernetesDriverSpec {
  return onDriver(spec, ({ pod, container }) => {
    const { metadata } = pod;
    const annotations = { ...metadata?.annotations, ...added };
    return { pod: { ...pod, metadata: { ...metadata, annotations } }, container };
  });
}
