import { confKey, confType, optionalConfKey, type ConfKey } from "@kindling/core-spec";
import { LOCALIZER_LIMITS } from "./localizer-limits.ts";

/** The keys that decide how dependencies get into pods before Spark starts. */

const absolutePath = confType.checked(confType.text, (path) => /^\/[^,]*[^/,]$/.test(path), "an absolute path");

export const LOCALIZER_IMAGE: ConfKey<string | undefined> = optionalConfKey({
  key: "spark.kindling.localizer.image",
  type: confType.text,
  since: "3.5.0",
  alternatives: ["spark.kubernetes.initcontainer.docker.image"],
  readBy: ["submit"],
  doc: "The image of the init container that brings dependencies into driver and executor pods. Needed if there are any dependencies.",
});

export const LOCALIZER_IMAGE_PULL_POLICY: ConfKey<string> = confKey({
  key: "spark.kindling.localizer.imagePullPolicy",
  type: confType.oneOf("Always", "Never", "IfNotPresent"),
  default: "IfNotPresent",
  since: "3.5.0",
  readBy: ["submit"],
  doc: "When nodes pull the localizer's image.",
});

export const LOCALIZER_DIRECTORY: ConfKey<string> = confKey({
  key: "spark.kindling.localizer.directory",
  type: absolutePath,
  default: "/var/spark-data",
  since: "3.5.0",
  readBy: ["submit"],
  doc: "The directory of the dependencies in driver and executor pods. It is a volume of its own.",
});

export const LOCALIZER_WORK_DIRECTORY: ConfKey<string> = confKey({
  key: "spark.kindling.localizer.workDirectory",
  type: absolutePath,
  default: "/opt/spark/work-dir",
  since: "3.5.0",
  readBy: ["submit"],
  doc: "The working directory of driver and executors, where localized files and unpacked archives appear. The workingDir of a pod template wins. It should be the same as the image's own.",
});

export const LOCALIZER_SCHEMES: ConfKey<readonly string[]> = confKey({
  key: "spark.kindling.localizer.schemes",
  type: confType.list,
  default: "",
  since: "3.5.0",
  readBy: ["submit"],
  doc: "URI schemes of remote dependencies that the localizer fetches instead of Spark: http, https, s3, s3a, hdfs, webhdfs, swebhdfs. Then, each executor fetches them itself and not through the driver.",
});

export const LOCALIZER_SPARK_FILES_MAX_SIZE: ConfKey<number> = confKey({
  key: "spark.kindling.localizer.sparkFilesMaxSize",
  type: confType.checked(confType.bytes("b"), (bytes) => bytes >= 0, "a number of bytes, or 8m"),
  default: "8m",
  since: "3.5.0",
  readBy: ["submit"],
  doc: "Files of your disk up to this size are in spark.files, too, so that SparkFiles.get finds them in the driver. The driver then copies them into its working directory, and each executor fetches them from the driver to compare them with its own. If the driver's pod cannot write there (a read-only root file system, another user and group), no file is. 0 leaves all files out.",
});

export const LOCALIZER_TIMEOUT: ConfKey<number> = confKey({
  key: "spark.kindling.localizer.timeout",
  type: confType.checked(confType.time("s"), (seconds) => seconds > 0, "a positive duration"),
  default: "10min",
  since: "3.5.0",
  readBy: ["submit"],
  doc: "How long a pod's dependencies may take to arrive.",
});

export const LOCALIZER_MEMORY: ConfKey<number> = confKey({
  key: "spark.kindling.localizer.memory",
  type: confType.checked(confType.bytes("m"), (mebibytes) => mebibytes >= 128, "at least 128m"),
  default: "256m",
  since: "3.5.0",
  readBy: ["submit"],
  doc: "The memory limit of the localizer. The pod needs no extra memory for it, because Spark's containers start after it has ended.",
});

export const LOCALIZER_CORES: ConfKey<string> = confKey({
  key: "spark.kindling.localizer.cores",
  type: confType.text,
  default: "1",
  since: "3.5.0",
  readBy: ["submit"],
  doc: "The CPU limit of the localizer, as a Kubernetes quantity.",
});

export const LOCALIZER_CREDENTIALS_SECRET: ConfKey<string | undefined> = optionalConfKey({
  key: "spark.kindling.localizer.credentialsSecret",
  type: confType.text,
  since: "3.5.0",
  readBy: ["submit"],
  doc: "A Secret of the namespace with credentials for remote dependencies. It may have the entries netrc, headers.json and aws-credentials. It is mounted into the localizer only.",
});

export const LOCALIZER_KEYS: readonly ConfKey<unknown>[] = [
  LOCALIZER_IMAGE,
  LOCALIZER_IMAGE_PULL_POLICY,
  LOCALIZER_DIRECTORY,
  LOCALIZER_WORK_DIRECTORY,
  LOCALIZER_SCHEMES,
  LOCALIZER_SPARK_FILES_MAX_SIZE,
  LOCALIZER_TIMEOUT,
  LOCALIZER_MEMORY,
  LOCALIZER_CORES,
  LOCALIZER_CREDENTIALS_SECRET,
  ...LOCALIZER_LIMITS,
];
