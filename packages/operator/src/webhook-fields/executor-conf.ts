import type { SparkPodSpec } from "@kindling/spark-application";
import { EXECUTOR_CONTAINER } from "../pods/spark-names.ts";
import type { ConfEntry } from "../translate/translation.ts";

export interface ExecutorConfInput {
  readonly env: Readonly<Record<string, string>>;
  readonly nodeSelector: Readonly<Record<string, string>>;
  /** Empty for none. */
  readonly schedulerName: string;
  readonly fields: SparkPodSpec;
  /** Whether the template has a container of Spark's name. */
  readonly isNamed: boolean;
}

/** The keys for the fields of executors that the driver sets itself, after it has applied the template. */
export function executorConf({ env, nodeSelector, schedulerName, fields, isNamed }: ExecutorConfInput): ConfEntry[] {
  const { terminationGracePeriodSeconds: grace, securityContext } = fields;
  const escalation = securityContext?.allowPrivilegeEscalation;
  const executor = "spark.kubernetes.executor";
  return [
    ...Object.entries(env).map(([name, value]): ConfEntry => [`spark.executorEnv.${name}`, value]),
    ...Object.entries(nodeSelector).map(([label, value]): ConfEntry => [`${executor}.node.selector.${label}`, value]),
    ...entry(`${executor}.scheduler.name`, schedulerName === "" ? undefined : schedulerName),
    // From Spark 4.1 on, in seconds.
    ...entry(`${executor}.terminationGracePeriodSeconds`, grace),
    // From Spark 4.3 on.
    ...entry(`${executor}.securityContext.allowPrivilegeEscalation`, escalation),
    ...entry(`${executor}.podTemplateContainerName`, isNamed ? EXECUTOR_CONTAINER : undefined),
  ];
}

function entry(key: string, value: string | number | boolean | undefined): ConfEntry[] {
  return value === undefined ? [] : [[key, String(value)]];
}
