import type { SparkConf } from "./conf/spark-conf.ts";

/** What the user asked to run: the language decides memory defaults, arguments and environment. */
export type MainApplication =
  | { readonly language: "java"; readonly resource: string | undefined; readonly mainClass: string }
  | { readonly language: "python"; readonly resource: string; readonly mainClass: string }
  | { readonly language: "r"; readonly resource: string; readonly mainClass: string };

/**
 * Identifiers that look random but belong to the submission: the same purpose always gives the same identifier, so that steps
 * stay functions of their input.
 */
export interface Identifiers {
  /** An id in the form of Spark's `KubernetesUtils.uniqueID`, currently 16 hexadecimal digits. */
  uniqueId(purpose: string): string;
  /** A version 4 UUID. */
  uuid(purpose: string): string;
}

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Files of the machine that submits, as they were at the time of gathering: the files that the steps named ({@link
 * Step.localFiles}). Every method throws `FILE_UNREADABLE` with the path in its message.
 */
export interface LocalFiles {
  isFile(path: string): boolean;
  /** The regular files of a directory by name, sorted; `undefined` if the path is no directory. */
  listFiles(path: string): readonly LocalFile[] | undefined;
  /** In bytes; 0 if there is no file. */
  size(path: string): number;
  /** The bytes of a file that goes into an object: a file larger than 1 MiB is refused. */
  readBytes(path: string): Uint8Array;
  /** The text of a UTF-8 file; `undefined` if its bytes are not UTF-8. */
  readText(path: string): string | undefined;
  /**
   * The object in a YAML or JSON file, read as Spark reads its pod templates. Throws `TEMPLATE_INVALID` with line, column
   * and field.
   *
   * @param origin what asked for the file, such as a configuration key
   * @param kind what the object is: its fields get the types that they have in Kubernetes. Without it each value has its YAML
   *   1.2 type: `1.10` is a number.
   */
  readYaml(path: string, origin: string, kind?: TemplateKind): unknown;
  absolute(path: string): string;
}

/** The objects that users can give templates for. */
export type TemplateKind = "Pod" | "PodGroup";

export interface LocalFile {
  readonly name: string;
  readonly path: string;
  /** In bytes. */
  readonly size: number;
}

/** Where files of the submitter's disk will be after their upload. The configuration alone decides which files are uploaded. */
export interface FileUploads {
  /**
   * The URIs of the local files of one purpose after their upload, in their order. Throws `CONF_MISSING` if there are such
   * files but no place to upload to.
   *
   * @param purpose what the files are for: the key that lists them, or {@link APPLICATION_UPLOAD}
   */
  uploadedUris(purpose: string): readonly string[];
}

/** The purpose for the application's own file. */
export const APPLICATION_UPLOAD = "the application";

/**
 * One submission: everything that a driver's objects depend on, as an immutable value. The objects depend on nothing else.
 * Counterpart of Spark's `KubernetesDriverConf`.
 */
export interface Submission {
  readonly sparkVersion: string;
  readonly conf: SparkConf;
  readonly appId: string;
  readonly appName: string;
  readonly namespace: string;
  readonly resourceNamePrefix: string;
  readonly mainApplication: MainApplication;
  readonly appArgs: readonly string[];
  readonly proxyUser: string | undefined;
  /** The user that Spark runs as on the submitter's side. */
  readonly user: string;
  /** The submitter's environment. */
  readonly env: Environment;
  readonly ids: Identifiers;
  readonly files: LocalFiles;
  readonly uploads: FileUploads;
  /** The file of Hadoop's delegation tokens that were fetched for the driver, in base64. */
  readonly delegationTokens?: string | undefined;
  /** Gives the user a notice that is no error: one line. It does not change the result. */
  readonly notice: (message: string) => void;
}

/** Resources of one kind of executor: Spark's default profile, or a stage's own `ResourceProfile`. */
export interface ResourceProfile {
  /** 0 is the default profile, which takes its values from the configuration. */
  readonly id: number;
  readonly cores?: number;
  /** In MiB, like all sizes here. */
  readonly memory?: number;
  readonly memoryOverhead?: number;
  readonly pysparkMemory?: number;
  readonly offHeapMemory?: number;
  readonly customResources?: readonly CustomResource[];
}

export interface CustomResource {
  readonly name: string;
  readonly amount: number;
  readonly vendor: string;
}

/** The driver pod of an executor. */
export interface DriverPodReference {
  readonly name: string;
  readonly uid: string;
}

/**
 * One executor to be created: everything that its pod depends on, as an immutable value. Counterpart of Spark's
 * `KubernetesExecutorConf` and of the input of `KubernetesExecutorBuilder`.
 */
export interface ExecutorRequest {
  readonly sparkVersion: string;
  /** The driver's configuration after the driver's start. */
  readonly conf: SparkConf;
  readonly appId: string;
  readonly appName: string;
  readonly executorId: string;
  readonly resourceNamePrefix: string;
  readonly resourceProfile: ResourceProfile;
  /** Unknown in client mode outside a pod. */
  readonly driverPod: DriverPodReference | undefined;
  /** The user that the driver runs as. */
  readonly user: string;
  /** The driver container's environment. */
  readonly env: Environment;
  /** The ConfigMap of configuration files for executors, and the names of its files that the pod mounts. */
  readonly confFiles: { readonly configMapName: string; readonly names: readonly string[] };
  /** The secret of `spark.authenticate`, if the driver made one. */
  readonly authSecret: string | undefined;
  readonly ids: Identifiers;
  /** Gives the user a notice that is no error: one line. It does not change the result. */
  readonly notice: (message: string) => void;
}
