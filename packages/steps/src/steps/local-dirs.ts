import {
  confKey,
  confType,
  javaSplit,
  optionalConfKey,
  type ConfKey,
  type Environment,
  type Identifiers,
  type SparkConf,
  type Step,
} from "@kindling/core-spec";
import { add, onDriver, onExecutor, type SparkPod } from "../spark-pod.ts";

/** Names of volumes that begin so are local directories of Spark. */
export const LOCAL_DIR_PREFIX = "spark-local-dir-";

export const LOCAL_DIRS_TMPFS: ConfKey<boolean> = confKey({
  key: "spark.kubernetes.local.dirs.tmpfs",
  type: confType.boolean,
  default: "false",
  since: "3.0.0",
  readBy: ["submit", "executor"],
  doc: "Whether the local directories that Spark makes are in memory. Then, they count as memory of the pod.",
});

export const LOCAL_DIR: ConfKey<string | undefined> = optionalConfKey({
  key: "spark.local.dir",
  type: confType.text,
  since: "0.5.0",
  readBy: ["submit"],
  doc: "The directories where Spark keeps shuffle data and spilled blocks, separated by commas. SPARK_LOCAL_DIRS wins. If unset, a directory of its own under /var/data.",
});

/**
 * Directories for shuffle and spilled data: mounts of volumes with the name `spark-local-dir-…` if there are any, else an
 * emptyDir for each configured directory. Counterpart of `LocalDirsFeatureStep`, which shuffles their order to spread load
 * over disks; here the order stays as given, so that a submission always has the same result.
 */
export const localDirs: Step = {
  name: "local-dirs",
  keys: [LOCAL_DIRS_TMPFS, LOCAL_DIR],
  configureDriver: (spec, submission) => onDriver(spec, (sparkPod) => withLocalDirs(sparkPod, submission)),
  configureExecutor: (spec, executor) => onExecutor(spec, (sparkPod) => withLocalDirs(sparkPod, executor)),
};

interface SubmissionParts {
  readonly conf: SparkConf;
  readonly ids: Identifiers;
  readonly env: Environment;
}

function withLocalDirs(sparkPod: SparkPod, { conf, env, ids }: SubmissionParts): SparkPod {
  const mounted = (sparkPod.container.volumeMounts ?? [])
    .filter((mount) => mount.name.startsWith(LOCAL_DIR_PREFIX))
    .map((mount) => mount.mountPath);
  if (mounted.length > 0) return add(sparkPod, { env: [{ name: "SPARK_LOCAL_DIRS", value: mounted.join(",") }] });

  const configured = env["SPARK_LOCAL_DIRS"] ?? conf.raw(LOCAL_DIR.key) ?? `/var/data/spark-${ids.uuid("local-dir")}`;
  const directories = javaSplit(configured, ",");
  const emptyDir = conf.get(LOCAL_DIRS_TMPFS) ? { medium: "Memory" } : {};
  return add(sparkPod, {
    volumes: directories.map((_, index) => ({ name: `${LOCAL_DIR_PREFIX}${index + 1}`, emptyDir })),
    volumeMounts: directories.map((mountPath, index) => ({ name: `${LOCAL_DIR_PREFIX}${index + 1}`, mountPath })),
    env: [{ name: "SPARK_LOCAL_DIRS", value: directories.join(",") }],
  });
}
