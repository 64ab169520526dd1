import { confType, KindlingError, type ConfigurationRequest } from "@kindling/core-spec";
import { FLAGS } from "./flag-table.ts";
import type { SubmitArguments } from "./parse-arguments.ts";

/**
 * What spark-submit's arguments ask for, in the library's terms: the one place that knows.
 */
export function toRequest(args: SubmitArguments): ConfigurationRequest {
  const { values, switches, conf, extraPropertiesFiles, primaryResource, appArgs } = args;
  const proxyUser = values.get("--proxy-user");
  const propertiesFile = values.get("--properties-file");
  const submissionId = values.get("--submission-id");
  if (!values.has("--kill") && !values.has("--status")) refuseTotalCores(values.get("--total-executor-cores"));
  return {
    ...(primaryResource !== undefined && {
      application: { resource: primaryResource, mainClass: values.get("--class"), arguments: appArgs },
    }),
    conf: { ...conf, ...flagEntries(values) },
    ...listsOf(values),
    extraPropertiesFiles,
    ...(propertiesFile !== undefined && { propertiesFile }),
    ...(proxyUser !== undefined && { proxyUser }),
    ...(submissionId !== undefined && { submissionId }),
    loadSparkDefaults: switches.has("--load-spark-defaults"),
  };
}

/** Has no meaning on Kubernetes, and is checked all the same (SparkSubmitArguments.validateSubmitArguments). */
function refuseTotalCores(text: string | undefined): void {
  const cores = text === undefined ? 1 : confType.bareInt.parse(text);
  if (typeof cores === "number" && cores > 0) return;
  throw new KindlingError(
    "ARGUMENT_INVALID",
    `--total-executor-cores: "${text ?? ""}" is not a positive whole number (spark.cores.max)`,
  );
}

/** The entries of those flags that win over `--conf` of their keys. The others are among the entries already. */
function flagEntries(values: SubmitArguments["values"]): Record<string, string> {
  return Object.fromEntries(
    FLAGS.flatMap(({ name, effect }) => {
      const value = effect.kind === "conf" ? values.get(name) : undefined;
      return effect.kind === "conf" && value !== undefined ? [[effect.key, value]] : [];
    }),
  );
}

const LISTS = [
  ["--jars", "jars"],
  ["--files", "files"],
  ["--archives", "archives"],
  ["--py-files", "pyFiles"],
] as const;

function listsOf(values: SubmitArguments["values"]): Pick<ConfigurationRequest, (typeof LISTS)[number][1]> {
  return Object.fromEntries(
    LISTS.flatMap(([flag, member]) => {
      const value = values.get(flag);
      return value === undefined ? [] : [[member, value.split(",")]];
    }),
  );
}
