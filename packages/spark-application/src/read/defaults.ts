import type { SparkApplicationSpec } from "../spec/application-spec.ts";
import type { DynamicAllocation } from "../spec/dynamic-allocation.ts";
import type { DriverSpec, ExecutorSpec } from "../spec/pod-spec.ts";
import type { RestartPolicy } from "../spec/restart-policy.ts";
import type { SparkApplication } from "../spark-application.ts";

/** Seconds. */
const RETRY_INTERVAL = 5;

/**
 * A copy of an application with the defaults that stock's webhook would have stored in it (kubeflow/spark-operator
 * v2.5.2, api/v1beta2/defaults.go). It must not be stored: the client that wrote the object would find fields that it did
 * not write.
 *
 * One difference: stock reads `spark.dynamicallocation.enabled`, a key that Spark does not know. So if only `sparkConf`
 * turns dynamic allocation on, stock still asks for one executor. Here the key has Spark's spelling.
 */
export function withDefaults(application: SparkApplication): SparkApplication {
  const { spec } = application;
  const { sparkConf = {}, dynamicAllocation } = spec;
  const isDynamic = isDynamicallyAllocated(spec);
  return {
    ...application,
    spec: {
      ...spec,
      mode: spec.mode ?? "cluster",
      restartPolicy: restartPolicyOf(spec.restartPolicy),
      driver: { ...resources("driver", sparkConf), ...spec.driver },
      executor: {
        ...resources("executor", sparkConf),
        ...(!isDynamic && !sparkConf["spark.executor.instances"] && { instances: 1 }),
        ...spec.executor,
      },
      ...(dynamicAllocation !== undefined && { dynamicAllocation: allocationOf(dynamicAllocation) }),
    },
  };
}

function restartPolicyOf(policy: RestartPolicy = {}): RestartPolicy {
  const { type = "Never" } = policy;
  const intervals =
    type === "Never"
      ? {}
      : { onFailureRetryInterval: RETRY_INTERVAL, onSubmissionFailureRetryInterval: RETRY_INTERVAL };
  return { ...intervals, ...policy, type };
}

function resources(
  role: "driver" | "executor",
  sparkConf: Readonly<Record<string, string>>,
): Pick<DriverSpec & ExecutorSpec, "cores" | "memory"> {
  return {
    ...(sparkConf[`spark.${role}.cores`] === undefined && { cores: 1 }),
    ...(sparkConf[`spark.${role}.memory`] === undefined && { memory: "1g" }),
  };
}

function allocationOf(allocation: DynamicAllocation): DynamicAllocation {
  return allocation.enabled === true ? { shuffleTrackingEnabled: true, ...allocation } : allocation;
}

/** The spec decides, if it says anything about it. */
function isDynamicallyAllocated({ dynamicAllocation, sparkConf }: SparkApplicationSpec): boolean {
  if (dynamicAllocation !== undefined) return dynamicAllocation.enabled === true;
  return sparkConf?.["spark.dynamicAllocation.enabled"]?.trim().toLowerCase() === "true";
}
