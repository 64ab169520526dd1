import { parseSparkVersion, type Step } from "@kindling/core-spec";
import type { SubmitRequest } from "@kindling/submit";
import { DRIVER_CONTAINER, EXECUTOR_CONTAINER } from "../pods/spark-names.ts";
import type { Translation } from "./translation.ts";

export interface RequestExtras {
  readonly submissionId: string;
  /** They run after Spark's own. */
  readonly steps: readonly Step[];
}

/**
 * An application as a request to submit it. In addition to stock's arguments, the submission follows the Spark version of
 * the object, the driver and never the operator resolves packages, and the names of all objects begin with the name of
 * the application.
 */
export function toRequest(translation: Translation, { submissionId, steps }: RequestExtras): SubmitRequest {
  const { name, namespace, conf, driverTemplate, executorTemplate, proxyUser, sparkVersion } = translation;
  const entries = Object.fromEntries(conf);
  const isVersion = entries[SPARK_VERSION] === undefined && parseSparkVersion(sparkVersion) !== undefined;
  return {
    application: {
      resource: translation.mainApplicationFile,
      mainClass: translation.mainClass,
      arguments: translation.arguments,
    },
    ...{ name, namespace, submissionId, resourceNamePrefix: name, sparkContainer: "first", steps },
    ...(isVersion && { sparkVersion }),
    ...(proxyUser !== undefined && { proxyUser }),
    conf: {
      [RESOLVE_PACKAGES]: "driver",
      ...entries,
      [TEMPLATE_CONTAINER.driver]: DRIVER_CONTAINER,
      [TEMPLATE_CONTAINER.executor]: EXECUTOR_CONTAINER,
      ...listEntry("spark.jars.packages", translation.packages),
      ...listEntry("spark.jars.excludes", translation.excludePackages),
      ...listEntry("spark.jars.repositories", translation.repositories),
    },
    ...nonEmpty("jars", translation.jars),
    ...nonEmpty("files", translation.files),
    ...nonEmpty("archives", translation.archives),
    ...nonEmpty("pyFiles", translation.pyFiles),
    ...(driverTemplate !== undefined && { driverTemplate }),
    ...(executorTemplate !== undefined && { executorTemplate }),
  };
}

const SPARK_VERSION = "spark.kindling.sparkVersion";
/** Which container of a template is Spark's. */
const TEMPLATE_CONTAINER = {
  driver: "spark.kubernetes.driver.podTemplateContainerName",
  executor: "spark.kubernetes.executor.podTemplateContainerName",
} as const;
const RESOLVE_PACKAGES = "spark.kindling.packages.resolve";

function listEntry(key: string, values: readonly string[]): Readonly<Record<string, string>> {
  return values.length === 0 ? {} : { [key]: values.join(",") };
}

/** A list that is not empty wins over the key for the same list. */
function nonEmpty<K extends string>(
  member: K,
  values: readonly string[],
): { readonly [member in K]?: readonly string[] } | undefined {
  return values.length === 0 ? undefined : ({ [member]: values } as { readonly [member in K]: readonly string[] });
}
