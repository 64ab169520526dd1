import { DNS_LABEL_MAX_LENGTH, quotedName } from "@kindling/core-spec";
import type { DynamicAllocation, SparkConnect, SparkConnectSpec } from "@kindling/spark-application";
import { templateImage } from "../pods/template-container.ts";
import { DRIVER_CONTAINER, EXECUTOR_CONTAINER } from "../pods/spark-names.ts";
import { stockDeniedKeys } from "./denied-keys.ts";
import { nameFaults } from "./name-faults.ts";
import { isAtLeastMajor } from "./semantic-version.ts";
import { sizeFaults } from "./spec-size.ts";

/**
 * Why no server is made for a SparkConnect; empty if one may be made. The reasons of stock's webhook, in its words and its
 * order (kubeflow/spark-operator 38082f33, internal/webhook/sparkconnect_validator.go; stock reports only the first). The
 * first and the last are reasons of this operator alone: a spec that is too large, and no executors where Spark needs some.
 */
export function validateConnect(connect: SparkConnect): readonly string[] {
  const { metadata, spec } = connect;
  const tooLarge = sizeFaults(spec);
  if (tooLarge.length > 0) return tooLarge;
  return [
    ...connectNameFaults(metadata.name),
    ...versionFaults(connect),
    ...imageFaults(connect),
    ...allocationFaults(spec.dynamicAllocation),
    ...memoryFaults("server", spec.server.memory),
    ...memoryFaults("executor", spec.executor.memory),
    ...stockDeniedKeys(spec.sparkConf, metadata.namespace),
    ...executorCountFaults(spec),
  ];
}

const SUFFIX = "-server";

/** The service has a name that is longer by a suffix. */
function connectNameFaults(name: string): readonly string[] {
  const faults = nameFaults("SparkConnect", name);
  const most = DNS_LABEL_MAX_LENGTH - SUFFIX.length;
  if (faults.length > 0 || name.length <= most) return faults;
  return [
    `invalid SparkConnect name ${quotedName(name)}: must be at most ${most} characters so that the derived Service name ` +
      `${quotedName(`${name}${SUFFIX}`)} does not exceed the DNS-1035 label length limit (${DNS_LABEL_MAX_LENGTH} characters)`,
  ];
}

function versionFaults({ spec: { sparkVersion, server, executor } }: SparkConnect): readonly string[] {
  if (!sparkVersion) return ["sparkVersion is required"];
  const isTemplated = server.template !== undefined || executor.template !== undefined;
  return isTemplated && !isAtLeastMajor(sparkVersion, 3)
    ? [`pod template feature requires Spark version 3.0.0 or higher, got ${quotedName(sparkVersion)}`]
    : [];
}

function imageFaults({ spec: { image, server, executor } }: SparkConnect): readonly string[] {
  if (image !== undefined && image !== "") return [];
  const hasBoth =
    templateImage(server.template, DRIVER_CONTAINER) !== undefined &&
    templateImage(executor.template, EXECUTOR_CONTAINER) !== undefined;
  return hasBoth
    ? []
    : ["image must be specified in spec.image or in the selected server and executor template containers"];
}

function allocationFaults(allocation: DynamicAllocation | undefined): readonly string[] {
  if (allocation?.enabled !== true) return [];
  const { minExecutors: min, maxExecutors: max, initialExecutors: initial } = allocation;
  const named = (name: string, value: number | undefined): string => `dynamicAllocation.${name} (${value})`;
  const [minText, maxText] = [named("minExecutors", min), named("maxExecutors", max)];
  const initialText = named("initialExecutors", initial);
  const isAbove = (one: number | undefined, other: number | undefined): boolean =>
    one !== undefined && other !== undefined && one > other;
  return [
    ...(isAbove(min, max) ? [`${minText} cannot be greater than ${maxText}`] : []),
    ...(isAbove(min, initial) ? [`${initialText} cannot be less than ${minText}`] : []),
    ...(isAbove(initial, max) ? [`${initialText} cannot be greater than ${maxText}`] : []),
    ...Object.entries({ minExecutors: min, maxExecutors: max, initialExecutors: initial }).flatMap(([name, value]) =>
      value !== undefined && value < 0 ? [`dynamicAllocation.${name} must be non-negative, got ${value}`] : [],
    ),
  ];
}

/** The definition allows 0, but then Spark ends at once (SparkSubmitArguments.scala, `validateSubmitArguments`). */
function executorCountFaults({ executor, dynamicAllocation, sparkConf = {} }: SparkConnectSpec): readonly string[] {
  const isDynamic = dynamicAllocation?.enabled === true || sparkConf["spark.dynamicAllocation.enabled"] === "true";
  return executor.instances === 0 && !isDynamic
    ? ["executor.instances is 0, and without dynamic allocation Spark starts no such server: enable dynamicAllocation"]
    : [];
}

/** Sizes as Java and Spark write them: `1g`, `512m`, `1024kb`, or bytes. */
const MEMORY = /^\s*[0-9]+(?:[ptgmk]b?|b)?\s*$/i;

function memoryFaults(role: string, memory = ""): readonly string[] {
  if (memory === "" || MEMORY.test(memory)) return [];
  return [
    `invalid ${role}.memory: invalid memory format ${quotedName(memory)}: ` +
      "must be a non-negative integer with optional suffix (e.g., 1g, 512m, 1024k)",
  ];
}
