import { parseQuantity } from "@kindling/core-spec";
import type { DriverSpec, ExecutorSpec, SparkApplication, SparkPodSpec } from "@kindling/spark-application";
import { withDriver, withExecutor } from "../changed-application.ts";
import { initialExecutors } from "./initial-executors.ts";
import { driverMemory, executorMemory } from "./pod-memory.ts";
import type { Scheduled } from "./scheduled.ts";
import { SchedulingFault } from "./scheduling-fault.ts";

const SCHEDULER_NAME = "yunikorn";
const TASK_GROUP_NAME = "yunikorn.apache.org/task-group-name";
const TASK_GROUPS = "yunikorn.apache.org/task-groups";
const QUEUE = "queue";
const DRIVER_GROUP = "spark-driver";
const EXECUTOR_GROUP = "spark-executor";

/** The API server's message for a text that is no quantity. */
const NO_QUANTITY = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

interface PodRequests {
  readonly cpu: string;
  readonly memory: string;
}

/** A task group, with the names that YuniKorn reads. */
interface TaskGroup {
  readonly name: string;
  readonly minMember: number;
  readonly minResource: PodRequests;
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly tolerations?: SparkPodSpec["tolerations"];
  readonly affinity?: SparkPodSpec["affinity"];
  readonly labels?: Readonly<Record<string, string>>;
}

/**
 * Tells YuniKorn, by annotations of the driver pod, which pods are coming (kubeflow/spark-operator v2.5.2,
 * internal/scheduler/yunikorn/scheduler.go). No further object is needed.
 *
 * @throws SchedulingFault
 */
export function yunikorn(application: SparkApplication): Scheduled {
  const queued = withQueue(application);
  const { driver, executor } = queued.spec;
  const groups = JSON.stringify(taskGroups(application));
  const scheduled = withDriver(queued, {
    schedulerName: SCHEDULER_NAME,
    annotations: { ...driver.annotations, [TASK_GROUP_NAME]: DRIVER_GROUP, [TASK_GROUPS]: groups },
  });
  return {
    application: withExecutor(scheduled, {
      schedulerName: SCHEDULER_NAME,
      annotations: { ...executor.annotations, [TASK_GROUP_NAME]: EXECUTOR_GROUP },
    }),
    objects: [],
  };
}

function withQueue(application: SparkApplication): SparkApplication {
  const { driver, executor } = application.spec;
  const label = queueLabel(application);
  const queued = withDriver(application, { labels: { ...driver.labels, ...label } });
  return withExecutor(queued, { labels: { ...executor.labels, ...label } });
}

function queueLabel({ spec }: SparkApplication): Readonly<Record<string, string>> {
  const queue = spec.batchSchedulerOptions?.queue;
  return queue === undefined ? {} : { [QUEUE]: queue };
}

function taskGroups(application: SparkApplication): readonly TaskGroup[] {
  const { driver, executor } = application.spec;
  const ofDriver = taskGroup(application, driver, {
    name: DRIVER_GROUP,
    minMember: 1,
    minResource: minResource("driver", () => podRequests(driver, driverMemory, application)),
  });
  const minMember = initialExecutors(application);
  // YuniKorn accepts no group without members.
  if (minMember <= 0) return [ofDriver];
  const ofExecutors = taskGroup(application, executor, {
    name: EXECUTOR_GROUP,
    minMember,
    minResource: minResource("executor", () => podRequests(executor, executorMemory, application)),
  });
  return [ofDriver, ofExecutors];
}

function taskGroup(
  application: SparkApplication,
  { nodeSelector, tolerations = [], affinity, labels }: DriverSpec | ExecutorSpec,
  group: Pick<TaskGroup, "name" | "minMember" | "minResource">,
): TaskGroup {
  const selector = { ...application.spec.nodeSelector, ...nodeSelector };
  // Stock adds the queue to existing labels, and so to those of the group, but adds no labels only for the queue.
  const all = labels === undefined ? {} : { ...labels, ...queueLabel(application) };
  return {
    ...group,
    ...(Object.keys(selector).length > 0 && { nodeSelector: selector }),
    ...(tolerations.length > 0 && { tolerations }),
    ...(affinity !== undefined && { affinity }),
    ...(Object.keys(all).length > 0 && { labels: all }),
  };
}

function minResource(role: "driver" | "executor", requests: () => PodRequests): PodRequests {
  try {
    return requests();
  } catch (error) {
    if (!(error instanceof SchedulingFault)) throw error;
    throw new SchedulingFault(`failed to calculate ${role} minResources: ${error.message}`);
  }
}

function podRequests(
  { cores = 1, coreRequest = String(cores) }: SparkPodSpec,
  memory: typeof driverMemory,
  application: SparkApplication,
): PodRequests {
  if (parseQuantity(coreRequest) === undefined)
    throw new SchedulingFault(`failed to parse ${coreRequest}: ${NO_QUANTITY}`);
  return { cpu: coreRequest, memory: `${memory(application)}Mi` };
}
