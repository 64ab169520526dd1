import {
  APPLICATION_UPLOAD,
  confType,
  optionalConfKey,
  type ConfKey,
  type EnvVar,
  type Step,
  type Submission,
} from "@kindling/core-spec";
import { isSubmitterLocal, NO_RESOURCE } from "../uris.ts";
import { add, onDriver, withSparkConf } from "../spark-pod.ts";

export const PYSPARK_PYTHON: ConfKey<string | undefined> = optionalConfKey({
  key: "spark.pyspark.python",
  type: confType.text,
  since: "2.1.0",
  readBy: ["submit"],
  doc: "The Python program of driver and executors; the submitter's PYSPARK_PYTHON if unset.",
});

export const PYSPARK_DRIVER_PYTHON: ConfKey<string | undefined> = optionalConfKey({
  key: "spark.pyspark.driver.python",
  type: confType.text,
  since: "2.1.0",
  readBy: ["submit"],
  doc: "The Python program of the driver; spark.pyspark.python if unset.",
});

export const PYTHON_VERSION: ConfKey<string | undefined> = optionalConfKey({
  key: "spark.kubernetes.pyspark.pythonVersion",
  type: confType.oneOf("3"),
  since: "2.4.0",
  until: "4.1.0",
  readBy: ["submit"],
  doc: "Since Spark 3.1, it only causes a warning.",
});

/**
 * The command line for the image's entry point: `driver`, and what the driver's own spark-submit must run. Counterpart of
 * `DriverCommandFeatureStep`.
 */
export const driverCommand: Step = {
  name: "driver-command",
  keys: [PYSPARK_PYTHON, PYSPARK_DRIVER_PYTHON, PYTHON_VERSION],
  overrides: ["driverSparkConf[spark.kubernetes.resource.type]"],
  configureDriver(spec, submission) {
    const { mainApplication, appArgs, proxyUser } = submission;
    const args = [
      "driver",
      ...(proxyUser === undefined ? [] : ["--proxy-user", proxyUser]),
      "--properties-file",
      "/opt/spark/conf/spark.properties",
      "--class",
      mainApplication.mainClass,
      resource(submission),
      ...appArgs,
    ];
    const withArgs = onDriver(spec, ({ pod, container }) =>
      add(
        { pod, container: { ...container, args: [...(container.args ?? []), ...args] } },
        { env: pythonEnv(submission) },
      ),
    );
    return withSparkConf(withArgs, { "spark.kubernetes.resource.type": mainApplication.language });
  },
};

function resource({ mainApplication, uploads }: Submission): string {
  switch (mainApplication.language) {
    case "java":
      // A jar of the submitter's disk travels in spark.jars; as an argument it would be looked up inside the image.
      return mainApplication.resource === undefined || isSubmitterLocal(mainApplication.resource)
        ? NO_RESOURCE
        : mainApplication.resource;
    case "python":
      return isSubmitterLocal(mainApplication.resource)
        ? (uploads.uploadedUris(APPLICATION_UPLOAD)[0] ?? "")
        : mainApplication.resource;
    case "r":
      // Spark never uploads an R script.
      return mainApplication.resource;
  }
}

function pythonEnv({ conf, env, mainApplication, notice }: Submission): EnvVar[] {
  if (mainApplication.language !== "python") return [];
  if (!conf.version.has("python-version-gone") && conf.get(PYTHON_VERSION) !== undefined) {
    notice(`${PYTHON_VERSION.key} has had no effect since Spark 3.1; use ${PYSPARK_PYTHON.key}`);
  }
  const python = conf.get(PYSPARK_PYTHON) ?? env["PYSPARK_PYTHON"];
  const driverPython =
    conf.get(PYSPARK_DRIVER_PYTHON) ??
    conf.get(PYSPARK_PYTHON) ??
    env["PYSPARK_DRIVER_PYTHON"] ??
    env["PYSPARK_PYTHON"];
  return [
    ...(python === undefined ? [] : [{ name: "PYSPARK_PYTHON", value: python }]),
    ...(driverPython === undefined ? [] : [{ name: "PYSPARK_DRIVER_PYTHON", value: driverPython }]),
  ];
}
