import { DRIVER_CONTAINER, EXECUTOR_CONTAINER } from "../pods/spark-names.ts";
import type { Translation } from "./translation.ts";

export interface ArgumentPlaces {
  readonly master: string;
  /** Where the templates are written for spark-submit to read. */
  readonly driverTemplateFile: string;
  readonly executorTemplateFile: string;
}

/** The arguments that stock's operator gives to spark-submit: they are used to compare translations. */
export function toArguments(translation: Translation, places: ArgumentPlaces): readonly string[] {
  const { mainClass, conf, proxyUser, loadSparkDefaults } = translation;
  const templates = [
    ["spark.kubernetes.driver.podTemplateFile", places.driverTemplateFile],
    ["spark.kubernetes.driver.podTemplateContainerName", DRIVER_CONTAINER],
    ["spark.kubernetes.executor.podTemplateFile", places.executorTemplateFile],
    ["spark.kubernetes.executor.podTemplateContainerName", EXECUTOR_CONTAINER],
  ] as const;
  return [
    ...["--master", places.master, "--deploy-mode", translation.mode],
    ...(mainClass === undefined ? [] : ["--class", mainClass]),
    ...["--name", translation.name],
    ...(loadSparkDefaults ? ["--load-spark-defaults"] : []),
    ...list("--jars", translation.jars),
    ...list("--packages", translation.packages),
    ...list("--exclude-packages", translation.excludePackages),
    ...list("--repositories", translation.repositories),
    ...list("--py-files", translation.pyFiles),
    ...list("--files", translation.files),
    ...list("--archives", translation.archives),
    ...[...conf, ...templates].flatMap(([key, value]) => ["--conf", `${key}=${value}`]),
    ...(proxyUser === undefined ? [] : ["--proxy-user", proxyUser]),
    translation.mainApplicationFile,
    ...translation.arguments,
  ];
}

function list(flag: string, values: readonly string[]): readonly string[] {
  return values.length === 0 ? [] : [flag, values.join(",")];
}
