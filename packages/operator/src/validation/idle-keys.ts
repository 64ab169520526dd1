import { isSubmitterLocal } from "@kindling/steps";
import type { SparkApplication, SparkApplicationSpec } from "@kindling/spark-application";

/** The parts of a spec that decide whether a key has an effect. */
export type KeysInUse = Pick<SparkApplicationSpec, "sparkConf" | "deps"> &
  Partial<Pick<SparkApplicationSpec, "mainApplicationFile">>;

/** A key that would be denied, but has no effect in this application. */
export interface IdleKey {
  /** As it is written. */
  readonly key: string;
  /** What the user has to know, in one sentence. */
  readonly notice: string;
  /** Whether the key is removed before the submission, which would refuse it too. Other keys stay, as with stock. */
  readonly isTakenOut: boolean;
}

interface Row {
  readonly isMeant: (key: string) => boolean;
  /** Why the key has no effect; undefined if it has one. */
  readonly why: (spec: KeysInUse, key: string) => string | undefined;
  readonly isTakenOut?: boolean;
}

const UPLOAD_PATH = "spark.kubernetes.file.upload.path";
const POD_GROUP_TEMPLATE = "spark.kubernetes.scheduler.volcano.podGroupTemplateFile";

/** The field that Spark gets instead of a key, as a flag of spark-submit wins over `--conf`. */
const LISTS: Readonly<Record<string, "jars" | "files" | "archives" | "pyFiles">> = {
  "spark.jars": "jars",
  "spark.files": "files",
  "spark.archives": "archives",
  "spark.submit.pyFiles": "pyFiles",
};

const ROWS: readonly Row[] = [
  {
    // A submission uploads only files of the process that submits (KubernetesUtils.uploadAndTransformFileUris).
    isMeant: (key) => key === UPLOAD_PATH,
    why: (spec) => (filesOf(spec).some(isOfSubmitter) ? undefined : "no file of the application is uploaded"),
  },
  {
    // Only VolcanoFeatureStep reads it, and that step runs only if a key names it.
    isMeant: (key) => key === POD_GROUP_TEMPLATE,
    why: ({ sparkConf = {} }) =>
      ["driver", "executor"].some((role) => sparkConf[`spark.kubernetes.${role}.pod.featureSteps`]?.trim())
        ? undefined
        : "only Volcano's feature step reads it, and no spark.kubernetes.*.pod.featureSteps names that step",
    isTakenOut: true,
  },
  {
    // The keys without `driver` and `submission` are for a driver in client mode (KubernetesClusterManager).
    isMeant: (key) => /^spark\.kubernetes\.authenticate\.(caCertFile|clientKeyFile|clientCertFile)$/.test(key),
    why: () => "Spark reads it in client mode only",
  },
  {
    // Spark reads the folder `conf` below it if SPARK_CONF_DIR is not set (KubernetesClientUtils.loadSparkConfDirFiles).
    isMeant: (key) => key === "spark.home",
    why: () =>
      "no file of the operator goes into the driver's configuration, and pods have the SPARK_HOME of their image",
    isTakenOut: true,
  },
  {
    isMeant: (key) => Object.hasOwn(LISTS, key),
    why: ({ deps = {} }, key) => {
      const list = LISTS[key];
      return list !== undefined && (deps[list] ?? []).length > 0 ? `spec.deps.${list} is used instead` : undefined;
    },
  },
];

/** The keys of an application's sparkConf that would be denied if they had an effect, in order. */
export function idleKeys(spec: KeysInUse): readonly IdleKey[] {
  return Object.entries(spec.sparkConf ?? {})
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([written]) => {
      const key = written.trim();
      const row = ROWS.find(({ isMeant }) => isMeant(key));
      const why = row?.why(spec, key);
      if (why === undefined) return [];
      return [
        { key: written, notice: `sparkConf key "${key}" has no effect: ${why}`, isTakenOut: row?.isTakenOut === true },
      ];
    });
}

/** The application without the keys that do nothing and that a submission would refuse. */
export function withoutIdleKeys(application: SparkApplication): SparkApplication {
  const out = new Set(idleKeys(application.spec).flatMap(({ key, isTakenOut }) => (isTakenOut ? [key] : [])));
  if (out.size === 0) return application;
  const kept = Object.entries(application.spec.sparkConf ?? {}).filter(([key]) => !out.has(key));
  return { ...application, spec: { ...application.spec, sparkConf: Object.fromEntries(kept) } };
}

function filesOf({ mainApplicationFile = "", deps = {}, sparkConf = {} }: KeysInUse): string[] {
  const listed = Object.entries(LISTS).flatMap(([key, list]) => {
    const own = deps[list] ?? [];
    return own.length > 0 ? own : (sparkConf[key] ?? "").split(",");
  });
  return [mainApplicationFile, ...listed].map((uri) => uri.trim()).filter((uri) => uri !== "");
}

/** Only the process that reads a `${…}` reference knows its value. */
function isOfSubmitter(uri: string): boolean {
  return uri.includes("${") || isSubmitterLocal(uri);
}
