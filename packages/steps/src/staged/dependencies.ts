import { splitList, type ConfKey, type LocalFiles, type MainApplication, type SparkConf } from "@kindling/core-spec";
import { ARCHIVES, FILES, JARS, PY_FILES } from "../steps/file-uploads.ts";
import { NO_RESOURCE, schemeOf } from "../uris.ts";
import { DependencySet, FOLDERS, type Dependency } from "./dependency-set.ts";
import { LOCALIZER_DIRECTORY, LOCALIZER_SPARK_FILES_MAX_SIZE } from "./localizer-keys.ts";

/** Dependencies that were taken out of a submission, and the rest of the submission. */
export interface TakenDependencies {
  readonly dependencies: readonly Dependency[];
  readonly entries: Readonly<Record<string, string>>;
  readonly mainApplication: MainApplication;
}

/**
 * Takes the dependencies out of a submission that will be in the pods already, and changes the configuration to their places:
 *
 * - jars become `local:` URIs, which executors read from their own disk. A newer driver would copy them into its working
 *   directory and serve them from there (`driver-copies-local-jars`), unless the scheme is among
 *   `spark.kubernetes.jars.avoidDownloadSchemes`.
 * - archives and large files are removed from their lists, because a driver serves everything in them to its executors. They
 *   appear in the working directories instead. Other files of the submitter's disk become `local:` URIs, which a driver
 *   copies into its working directory (SparkSubmit, `downloadResourcesToCurrentDirectory`) and adds to SparkFiles.
 * - Python files are removed from their list for the same reason, and added to the PYTHONPATH of driver and executors.
 *
 * @param conf the submission's, with resolved URIs
 * @param wanted which URIs to take; it is never called for `spark-internal` and `local:` URIs
 * @throws KindlingError `ARGUMENT_INVALID` if two files would get the same name, `FILE_UNREADABLE` for a file that does not
 *   exist
 */
export function takeDependencies(
  conf: SparkConf,
  mainApplication: MainApplication,
  files: LocalFiles,
  wanted: (uri: string) => boolean,
): TakenDependencies {
  const directory = conf.get(LOCALIZER_DIRECTORY);
  const found = new DependencySet(files);
  const taken = (uri: string): boolean => uri !== NO_RESOURCE && schemeOf(uri) !== "local" && wanted(uri);
  const changed: Record<string, string> = {};
  const lists = (key: ConfKey<readonly string[]>): { ours: string[]; rest: string[] } => {
    const uris = conf.get(key);
    return { ours: uris.filter(taken), rest: uris.filter((uri) => !taken(uri)) };
  };
  const inPod = (dependency: Dependency): string => `local://${directory}/${dependency.name}`;
  const mostBytes = conf.get(LOCALIZER_SPARK_FILES_MAX_SIZE);
  // A changed safe name is not the name that the file must have, and a JVM may not be able to open the original one.
  const isForSparkFiles = ({ kind, from, name, workName }: Dependency): boolean =>
    kind === "file" && "path" in from && name === `${FOLDERS.file}/${workName}` && fits(files.size(from.path));
  const fits = (bytes: number): boolean => mostBytes > 0 && bytes <= mostBytes;

  const jars = conf.get(JARS);
  if (jars.some(taken)) {
    changed[JARS.key] = jars.map((uri) => (taken(uri) ? inPod(found.add("jar", uri, JARS.key)) : uri)).join(",");
    if (conf.version.has("driver-copies-local-jars")) {
      const schemes = splitList(conf.raw(AVOID_DOWNLOAD_SCHEMES) ?? "");
      if (!schemes.includes("*") && !schemes.includes("local")) {
        changed[AVOID_DOWNLOAD_SCHEMES] = [...schemes, "local"].join(",");
      }
    }
  }
  for (const [key, kind] of [
    [FILES, "file"],
    [ARCHIVES, "archive"],
  ] as const) {
    const { ours, rest } = lists(key);
    if (ours.length === 0) continue;
    const added = ours.map((uri) => found.add(kind, uri, key.key));
    changed[key.key] = [...rest, ...new Set(added.filter(isForSparkFiles).map(inPod))].join(",");
  }
  const pyFiles = lists(PY_FILES);
  if (pyFiles.ours.length > 0) {
    const names = pyFiles.ours.map((uri) => found.add("pyFile", uri, PY_FILES.key).name);
    changed[PY_FILES.key] = pyFiles.rest.join(",");
    for (const key of ["spark.kubernetes.driverEnv.PYTHONPATH", "spark.executorEnv.PYTHONPATH"]) {
      changed[key] = pythonPath(directory, names, conf.raw(key));
    }
  }
  const application = withApplication(mainApplication, taken, (uri) =>
    inPod(found.add("application", uri, "the application")),
  );
  const entries = { ...conf.entries, ...changed };
  // A list that is empty now is removed from the configuration; only the list of Python files always stays.
  for (const key of [FILES.key, ARCHIVES.key]) if (changed[key] === "") delete entries[key];
  const dependencies = found.all.map((each) =>
    isForSparkFiles(each) ? { ...each, inSparkFiles: true as const } : each,
  );
  return { dependencies, entries, mainApplication: application };
}

const AVOID_DOWNLOAD_SCHEMES = "spark.kubernetes.jars.avoidDownloadSchemes";

/** A jar is in spark.jars already, so the driver does not need it as an argument. */
function withApplication(
  application: MainApplication,
  taken: (uri: string) => boolean,
  inPod: (uri: string) => string,
): MainApplication {
  if (application.language === "java" || !taken(application.resource)) return application;
  return { ...application, resource: inPod(application.resource) };
}

/** Modules are found through their folder, archives by their own names. */
function pythonPath(directory: string, names: readonly string[], before: string | undefined): string {
  const archives = names.filter((name) => !name.endsWith(".py"));
  const folder = archives.length < names.length ? [FOLDERS.pyFile] : [];
  return [
    ...[...folder, ...archives].map((name) => `${directory}/${name}`),
    ...(before === undefined ? [] : [before]),
  ].join(":");
}
