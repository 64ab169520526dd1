import { splitList } from "../conf/conf-type.ts";
import { sparkConf } from "../conf/spark-conf.ts";
import { configMapName, resourceNamePrefix } from "../names/resource-names.ts";
import {
  APPLICATION_UPLOAD,
  type ExecutorRequest,
  type Identifiers,
  type MainApplication,
  type Submission,
} from "../submission.ts";
import { ASSUMED_SPARK_VERSION } from "../versions/known-versions.ts";
import { memoryFiles } from "./memory-files.ts";

export interface SampleOptions {
  /** Default: the newest known version. */
  readonly sparkVersion?: string;
  /** Added to an entry with an image. */
  readonly conf?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** The submitter's files, by absolute path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Default: a JVM application inside the image. */
  readonly mainApplication?: MainApplication;
}

const APP_ID = `spark-${"0123456789abcdef".repeat(2)}`;
const UNIQUE_ID = "0123456789abcdef";

/** Identifiers that are always the same, and differ by purpose. */
const SAMPLE_IDS: Identifiers = {
  uniqueId: () => UNIQUE_ID,
  uuid: (purpose) => `00000000-0000-4000-8000-${String(purpose.length).padStart(12, "0")}`,
};

/** A submission to test steps with. */
export function sampleSubmission(options: SampleOptions = {}): Submission {
  const { sparkVersion = ASSUMED_SPARK_VERSION, env = {}, files = {} } = options;
  return {
    sparkVersion,
    conf: sampleConf(options, { "spark.app.name": "sample" }),
    appId: APP_ID,
    appName: "sample",
    namespace: "spark",
    resourceNamePrefix: resourceNamePrefix("sample", UNIQUE_ID),
    mainApplication: options.mainApplication ?? {
      language: "java",
      resource: "local:///opt/spark/examples/jars/app.jar",
      mainClass: "org.example.Main",
    },
    appArgs: ["a", "b c"],
    proxyUser: undefined,
    user: "someone",
    env,
    ids: SAMPLE_IDS,
    files: memoryFiles(files),
    uploads: sampleUploads(options),
    notice: () => {},
  };
}

/** An executor to test steps with. */
export function sampleExecutor(options: SampleOptions = {}): ExecutorRequest {
  const { sparkVersion = ASSUMED_SPARK_VERSION, env = {} } = options;
  return {
    sparkVersion,
    conf: sampleConf(options, {
      "spark.app.name": "sample",
      "spark.app.id": APP_ID,
      "spark.driver.host": "sample-driver-svc.spark.svc",
      "spark.driver.bindAddress": "10.0.0.1",
      "spark.driver.port": "7078",
    }),
    appId: APP_ID,
    appName: "sample",
    executorId: "1",
    resourceNamePrefix: resourceNamePrefix("sample", UNIQUE_ID),
    resourceProfile: { id: 0 },
    driverPod: { name: "sample-driver", uid: "11111111-1111-4111-8111-111111111111" },
    user: "someone",
    env,
    confFiles: { configMapName: configMapName(`spark-exec-${UNIQUE_ID}`), names: [] },
    authSecret: undefined,
    ids: SAMPLE_IDS,
    notice: () => {},
  };
}

/** Everything is uploaded to one bucket under its own name. */
function sampleUploads({ conf = {}, mainApplication }: SampleOptions): Submission["uploads"] {
  return {
    uploadedUris(purpose) {
      const uris = purpose === APPLICATION_UPLOAD ? [mainApplication?.resource ?? ""] : splitList(conf[purpose] ?? "");
      const local = uris.filter((uri) => /^(file:|[^:]*$)/.test(uri)).map((uri) => uri.replace(/#.*$/, ""));
      return local.map((uri) => `s3a://uploads/${uri.slice(uri.lastIndexOf("/") + 1)}`);
    },
  };
}

function sampleConf(
  { sparkVersion = ASSUMED_SPARK_VERSION, conf = {}, env = {} }: SampleOptions,
  base: Readonly<Record<string, string>>,
): Submission["conf"] {
  const entries = {
    "spark.kubernetes.container.image": `apache/spark:${sparkVersion}`,
    "spark.kubernetes.namespace": "spark",
    ...base,
    ...conf,
  };
  return sparkConf(entries, { sparkVersion, env: (name) => env[name] });
}
