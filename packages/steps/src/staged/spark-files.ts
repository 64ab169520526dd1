import { splitList, type KubernetesDriverSpec, type SparkConf } from "@kindling/core-spec";
import { FILES } from "../steps/file-uploads.ts";
import { withSparkConf } from "../spark-pod.ts";
import type { PlacedDependency } from "./dependency-set.ts";
import { LOCALIZER_DIRECTORY } from "./localizer-keys.ts";
import { canWriteThere } from "./work-directory.ts";

/** What a step that brings files has to declare. */
export const SPARK_FILES_OVERRIDDEN: readonly string[] = [`driverSparkConf[${FILES.key}]`];

/**
 * Names files that are in the driver's pod by `file:`, only for the driver: SparkContext.addFile of Spark 3.5 ignores
 * `local:` (core/SparkContext.scala), and for a submission `file:` means the submitter's disk. A driver that cannot copy the
 * files gets none of them: it would fail.
 */
export function withFilesOfThePod(
  spec: KubernetesDriverSpec,
  conf: SparkConf,
  dependencies: readonly PlacedDependency[],
): KubernetesDriverSpec {
  const directory = conf.get(LOCALIZER_DIRECTORY);
  const own = dependencies.flatMap(({ inSparkFiles, name }) => (inSparkFiles === true ? [`${directory}/${name}`] : []));
  if (own.length === 0) return spec;
  const files = splitList(spec.driverSparkConf[FILES.key] ?? conf.raw(FILES.key) ?? "");
  const paths = new Map(own.map((path) => [`local://${path}`, `file://${path}`]));
  const named = canWriteThere({ pod: spec.driverPod, container: spec.driverContainer })
    ? files.map((uri) => paths.get(uri) ?? uri)
    : files.filter((uri) => !paths.has(uri));
  return withSparkConf(spec, { [FILES.key]: named.join(",") });
}
