import type { SparkApplication, SparkPodSpec } from "@kindling/spark-application";

/** The annotation that tells YuniKorn about groups. */
export const TASK_GROUPS = "yunikorn.apache.org/task-groups";

/** The part of an application that the stock operator changes before it builds its arguments. */
export function submitted({ metadata, spec }: SparkApplication): object {
  return {
    labels: metadata.labels ?? {},
    sparkConf: spec.sparkConf ?? {},
    driver: role(spec.driver),
    executor: role(spec.executor),
  };
}

function role({ annotations = {}, labels = {}, javaOptions, schedulerName }: SparkPodSpec): object {
  const { [TASK_GROUPS]: groups, ...others } = annotations;
  const read: unknown = groups === undefined ? undefined : JSON.parse(groups);
  return { annotations: others, groups: read, labels, javaOptions, schedulerName };
}
