import { KindlingError, type LocalFiles, type SparkConf } from "@kindling/core-spec";
import {
  isSubmitterLocal,
  LOCALIZER_SCHEMES,
  schemeOf,
  takeDependencies,
  type Dependency,
  type SmallFile,
  type TakenDependencies,
} from "@kindling/steps";
import { SMALL_FILES, SMALL_FILES_MAX_SIZE, STAGING_URI } from "../keys/staging-keys.ts";
import { confOf, type PlanInput } from "./plan-input.ts";
import { FILE_UPLOAD_PATH } from "../keys/upload-keys.ts";

/** How a submission's dependencies reach its pods, if Kindling does more than Spark. */
export type DependencyPlan =
  /** As Spark does it: files on this machine go to spark.kubernetes.file.upload.path, or are refused. */
  | { readonly kind: "upload-path" }
  /** Through the localizer; files on this machine have to be staged first. */
  | { readonly kind: "localizer"; readonly input: PlanInput; readonly dependencies: readonly Dependency[] }
  /** In a Secret. */
  | { readonly kind: "secret"; readonly input: PlanInput; readonly files: readonly SmallFile[] };

const FETCHABLE = ["http", "https", "s3", "s3a", "hdfs", "webhdfs", "swebhdfs"];

/**
 * Decides how the dependencies travel, and removes those from the configuration that Spark must not bring itself.
 *
 * @throws KindlingError for missing files, names that clash, and files that are too large for a Secret
 */
export function planDependencies(input: PlanInput, files: LocalFiles): DependencyPlan {
  const conf = confOf(input);
  const schemes = fetchedSchemes(conf);
  const server = conf.get(STAGING_URI);
  if (server !== undefined || schemes.size > 0) {
    const taken = take(input, conf, files, (uri) =>
      isSubmitterLocal(uri) ? server !== undefined : schemes.has(schemeOf(uri) ?? ""),
    );
    if (taken.dependencies.length === 0) return { kind: "upload-path" };
    return { kind: "localizer", input: withTaken(input, taken), dependencies: taken.dependencies };
  }
  if (!conf.get(SMALL_FILES) || conf.get(FILE_UPLOAD_PATH) !== undefined) return { kind: "upload-path" };
  const taken = take(input, conf, files, isSubmitterLocal);
  if (taken.dependencies.length === 0) return { kind: "upload-path" };
  return { kind: "secret", input: withTaken(input, taken), files: smallEnough(taken.dependencies, files, conf) };
}

function fetchedSchemes(conf: SparkConf): ReadonlySet<string> {
  const schemes = conf.get(LOCALIZER_SCHEMES);
  const unknown = schemes.find((scheme) => !FETCHABLE.includes(scheme));
  if (unknown !== undefined) {
    throw new KindlingError("CONF_INVALID", `${LOCALIZER_SCHEMES.key}: the localizer cannot fetch ${unknown}`, {
      hint: `it can fetch ${FETCHABLE.join(", ")}`,
    });
  }
  return new Set(schemes);
}

function take(
  input: PlanInput,
  conf: SparkConf,
  files: LocalFiles,
  wanted: (uri: string) => boolean,
): TakenDependencies {
  return takeDependencies(conf, input.mainApplication, files, wanted);
}

function withTaken(input: PlanInput, { entries, mainApplication }: TakenDependencies): PlanInput {
  return { ...input, entries, mainApplication };
}

function smallEnough(dependencies: readonly Dependency[], files: LocalFiles, conf: SparkConf): SmallFile[] {
  const archive = dependencies.find(({ kind }) => kind === "archive");
  if (archive !== undefined) {
    throw new KindlingError("CONF_MISSING", `${pathOf(archive)} (spark.archives) has to be unpacked in the pods`, {
      hint: `set ${STAGING_URI.key}: only the localizer unpacks archives`,
    });
  }
  const sizes = dependencies.map((dependency) => files.size(pathOf(dependency)));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const most = conf.get(SMALL_FILES_MAX_SIZE);
  // Checked before anything is read: a file may have any size.
  if (total <= most) {
    return dependencies.map((dependency) => ({ ...dependency, content: files.readBytes(pathOf(dependency)) }));
  }
  const each = dependencies.map((file, i) => `${pathOf(file)} (${file.kind}, ${sizes[i]} bytes)`).join(", ");
  throw new KindlingError(
    "CONF_MISSING",
    `${total} bytes of this machine's files are too much for a Secret (${most}): ${each}`,
    { hint: `set ${STAGING_URI.key} or ${FILE_UPLOAD_PATH.key}; what is in the image is written local:///path` },
  );
}

function pathOf({ from }: Dependency): string {
  return "path" in from ? from.path : from.uri;
}
