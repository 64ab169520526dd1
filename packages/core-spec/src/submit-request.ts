import type { Pod } from "./kubernetes.ts";
import type { Step } from "./step.ts";

/** The application to run. */
export interface RequestedApplication {
  /** A jar, a Python or an R file, as a URI or a path, or `spark-internal` for a class that is in the image. */
  readonly resource: string;
  /** The main class of a JVM application. Default: the class that the jar's manifest names. */
  readonly mainClass?: string | undefined;
  readonly arguments?: readonly string[];
}

/**
 * An application to submit, with spark-submit's terms; it runs in cluster mode. A member here wins over the same setting in
 * `conf`.
 */
export interface SubmitRequest {
  readonly application: RequestedApplication;
  /** `k8s://https://host:port`. Default: the address of the client, or of the kubeconfig's context. */
  readonly master?: string;
  /** spark.app.name */
  readonly name?: string;
  /** spark.kubernetes.namespace */
  readonly namespace?: string;
  /** The Spark version to follow: `4.3.0`. Default: from the environment, the image's tag, or the newest version. */
  readonly sparkVersion?: string;
  /** Names the submission: the same id in the same namespace returns the existing application. */
  readonly submissionId?: string;
  /**
   * The prefix of the names of the application's objects; an id that makes them unique follows it. Default: the submission id
   * or, without one, the application's name.
   */
  readonly resourceNamePrefix?: string;
  readonly proxyUser?: string;
  /** The user that Spark runs as. Default: the user that the environment or the system names. */
  readonly user?: string;
  /** Configuration entries; they win over those of files. */
  readonly conf?: Readonly<Record<string, string>>;
  /** Files with configuration entries that win over the properties file; the last file wins over the others. */
  readonly extraPropertiesFiles?: readonly string[];
  /** A file with configuration entries, which is read instead of spark-defaults.conf. */
  readonly propertiesFile?: string;
  /** Whether spark-defaults.conf is read in addition to that file. */
  readonly loadSparkDefaults?: boolean;
  /** spark.jars: URIs, or paths and patterns of this machine. The same is true for the three lists below. */
  readonly jars?: readonly string[];
  /** spark.files */
  readonly files?: readonly string[];
  /** spark.archives */
  readonly archives?: readonly string[];
  /** spark.submit.pyFiles */
  readonly pyFiles?: readonly string[];
  /** The template of the driver pod: the path of a YAML or JSON file of this machine, or the pod itself. */
  readonly driverTemplate?: PodTemplateSource;
  /** The same for executors. */
  readonly executorTemplate?: PodTemplateSource;
  /**
   * The position of the container that runs Spark in the driver pod: after those of the template, as in Spark (the default),
   * or before them.
   */
  readonly sparkContainer?: "first" | "last";
  /** Steps that run after the built-in ones, in addition to those in `spark.kindling.steps`. */
  readonly steps?: readonly Step[];
}

/** A path or a pod. */
export type PodTemplateSource = string | Pod;

/** The configuration part of a request: commands that manage existing applications have no application to run. */
export type ConfigurationRequest = Omit<SubmitRequest, "application"> & Partial<Pick<SubmitRequest, "application">>;
