import type { Pod } from "./kubernetes.ts";
import type { Step } from "./step.ts";

/** What is to be run. */
export interface RequestedApplication {
  /** A jar, a Python or R file, as a URI or a path, or `spark-internal` for a class that the image has. */
  readonly resource: string;
  /** Of JVM applications; the one that the jar's manifest names if unset. */
  readonly mainClass?: string | undefined;
  readonly arguments?: readonly string[];
}

/**
 * An application to be submitted, in the terms of spark-submit, which runs in cluster mode. What has a member of its own
 * here wins over the same in `conf`.
 */
export interface SubmitRequest {
  readonly application: RequestedApplication;
  /** `k8s://https://host:port`; the address of the client, or of the kubeconfig's context, if unset. */
  readonly master?: string;
  /** spark.app.name */
  readonly name?: string;
  /** spark.kubernetes.namespace */
  readonly namespace?: string;
  /** Whose behaviour is wanted: `4.3.0`. If unset, the environment, the image's tag, or the newest version. */
  readonly sparkVersion?: string;
  /** Names the submission: the same id in the same namespace again gives the application that is there. */
  readonly submissionId?: string;
  /**
   * What the names of the application's objects begin with, in front of an id that makes them unique: the submission id
   * or, without one, the application's name if unset.
   */
  readonly resourceNamePrefix?: string;
  readonly proxyUser?: string;
  /** The user that Spark runs as; if unset, whom the environment or the system names. */
  readonly user?: string;
  /** Configuration entries; they win over those of files. */
  readonly conf?: Readonly<Record<string, string>>;
  /** Files of configuration entries that win over the properties file; of several, the last wins. */
  readonly extraPropertiesFiles?: readonly string[];
  /** A file of configuration entries, which is read instead of spark-defaults.conf. */
  readonly propertiesFile?: string;
  /** Whether spark-defaults.conf is read besides that file. */
  readonly loadSparkDefaults?: boolean;
  /** spark.jars: URIs, or paths and patterns of this machine; as are the three lists below. */
  readonly jars?: readonly string[];
  /** spark.files */
  readonly files?: readonly string[];
  /** spark.archives */
  readonly archives?: readonly string[];
  /** spark.submit.pyFiles */
  readonly pyFiles?: readonly string[];
  /** The pod that the driver's starts from: the path of a YAML or JSON file of this machine, or the pod itself. */
  readonly driverTemplate?: PodTemplateSource;
  /** The same for executors. */
  readonly executorTemplate?: PodTemplateSource;
  /**
   * Where the container that runs Spark stands in the driver pod: behind those of the template, as Spark has it (the
   * default), or before them.
   */
  readonly sparkContainer?: "first" | "last";
  /** Steps that run behind the built-in ones, besides those that `spark.kindling.steps` names. */
  readonly steps?: readonly Step[];
}

/** A path or a pod. */
export type PodTemplateSource = string | Pod;

/** A request as far as its configuration goes: the commands that look after applications have none to run. */
export type ConfigurationRequest = Omit<SubmitRequest, "application"> & Partial<Pick<SubmitRequest, "application">>;
