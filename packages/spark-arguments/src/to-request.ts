import { confType, KindlingError, type ConfigurationRequest } from "@kindling/core-spec";
import { FLAGS } from "./flag-table.ts";
import type { SubmitArguments } from "./parse-arguments.ts";

/** Converts spark-submit's arguments to the library's terms: only this function knows both. */
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

/** It has no meaning on Kubernetes, but is checked anyway (SparkSubmitArguments.validateSubmitArguments). */
function refuseTotalCores(text: string | undefined): void {
  const cores = text === undefined ? 1 : confType.bareInt.parse(text);
  if (typeof cores === "number" && cores > 0) return;
  throw new KindlingError(
    "ARGUMENT_INVALID",
    `--total-executor-cores: "${text ?? ""}" is not a positive whole number (spark.cores.max)`,
  );
}

/** The entries of flags that win over `--conf` of their keys. The entries of the other flags are there already. */
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
