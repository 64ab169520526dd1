import {
  appNameLabel,
  KindlingError,
  SPARK_APP_ID_LABEL,
  SPARK_APP_NAME_LABEL,
  SPARK_EXECUTOR_ID_LABEL,
  SPARK_RESOURCE_PROFILE_ID_LABEL,
  SPARK_ROLE_DRIVER,
  SPARK_ROLE_EXECUTOR,
  SPARK_ROLE_LABEL,
  SPARK_VERSION_LABEL,
  type ConfPrefix,
  type ExecutorRequest,
  type SparkConf,
  type Submission,
} from "@kindling/core-spec";
import { DRIVER_LABEL, EXECUTOR_LABEL } from "../../keys/prefixes.ts";
import { substituteIdsIn } from "./placeholders.ts";

/** The labels of a driver pod: the user's, then Spark's own. They are the selector of the driver Service too. */
export function driverLabels(submission: Submission): Record<string, string> {
  const { conf, sparkVersion, appId, appName } = submission;
  return withPreset(conf, DRIVER_LABEL, appId, "", {
    [SPARK_VERSION_LABEL]: sparkVersion,
    [SPARK_APP_ID_LABEL]: appId,
    [SPARK_APP_NAME_LABEL]: appNameLabel(appName),
    [SPARK_ROLE_LABEL]: SPARK_ROLE_DRIVER,
  });
}

/** The labels of an executor pod: the user's, then Spark's own. */
export function executorLabels(executor: ExecutorRequest): Record<string, string> {
  const { conf, sparkVersion, appId, appName, executorId, resourceProfile } = executor;
  return withPreset(conf, EXECUTOR_LABEL, appId, executorId, {
    [SPARK_VERSION_LABEL]: sparkVersion,
    [SPARK_EXECUTOR_ID_LABEL]: executorId,
    [SPARK_APP_ID_LABEL]: appId,
    [SPARK_APP_NAME_LABEL]: appNameLabel(appName),
    [SPARK_ROLE_LABEL]: SPARK_ROLE_EXECUTOR,
    [SPARK_RESOURCE_PROFILE_ID_LABEL]: String(resourceProfile.id),
  });
}

function withPreset(
  conf: SparkConf,
  prefix: ConfPrefix,
  appId: string,
  executorId: string,
  preset: Readonly<Record<string, string>>,
): Record<string, string> {
  const custom = conf.withPrefix(prefix);
  for (const key of Object.keys(preset)) {
    if (Object.hasOwn(custom, key)) {
      throw new KindlingError(
        "CONF_INVALID",
        `${prefix.prefix}${key}: label ${key} is not allowed, as it is reserved for Spark's own bookkeeping`,
      );
    }
  }
  return {
    ...(conf.version.has("label-placeholders") ? substituteIdsIn(custom, appId, executorId) : custom),
    ...preset,
  };
}
