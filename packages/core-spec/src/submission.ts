import type { SparkConf } from "./conf/spark-conf.ts";

/** What the user asked to run: the language decides memory defaults, arguments and environment. */
export type MainApplication =
  | { readonly language: "java"; readonly resource: string | undefined; readonly mainClass: string }
  | { readonly language: "python"; readonly resource: string; readonly mainClass: string }
  | { readonly language: "r"; readonly resource: string; readonly mainClass: string };

/**
 * Identifiers that look random but belong to the submission: asked twice for the same purpose, the same one comes back,
 * so that steps stay functions of their input.
 */
export interface Identifiers {
  /** An id in the form of Spark's `KubernetesUtils.uniqueID`, 16 hexadecimal digits at present. */
  uniqueId(purpose: string): string;
  /** A version 4 UUID. */
  uuid(purpose: string): string;
}

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Files of the machine that submits, as they were when the submission was gathered: those that the steps said they would
 * read ({@link Step.localFiles}). Every method throws `FILE_UNREADABLE` with the path in its message.
 */
export interface LocalFiles {
  isFile(path: string): boolean;
  /** The regular files of a directory by name, sorted; `undefined` if the path is no directory. */
  listFiles(path: string): readonly LocalFile[] | undefined;
  /** In bytes; 0 if there is no file. */
  size(path: string): number;
  /** The bytes of a file that is to go into an object: one of more than 1 MiB is refused. */
  readBytes(path: string): Uint8Array;
  /** The text of a UTF-8 file; `undefined` if its bytes are not UTF-8. */
  readText(path: string): string | undefined;
  /**
   * The object in a YAML or JSON file, read as Spark reads its pod templates. Throws `TEMPLATE_INVALID` with line, column
   * and field.
   *
   * @param origin what asked for the file, such as a configuration key
   * @param kind what the object is: its fields get the types that they have in Kubernetes. Without it each value is what
   *   YAML 1.2 says of it: `1.10` is a number.
   */
  readYaml(path: string, origin: string, kind?: TemplateKind): unknown;
  absolute(path: string): string;
}

/** The objects that users write templates of. */
export type TemplateKind = "Pod" | "PodGroup";

export interface LocalFile {
  readonly name: string;
  readonly path: string;
  /** In bytes. */
  readonly size: number;
}

/** Where files of the submitter's disk will be found once they are uploaded. The configuration alone says which are. */
export interface FileUploads {
  /**
   * The URIs that the local files of one purpose have after their upload, in their order. Throws `CONF_MISSING` if there
   * are any, and no place to upload to.
   *
   * @param purpose what the files are for: the key that lists them, or {@link APPLICATION_UPLOAD}
   */
  uploadedUris(purpose: string): readonly string[];
}

/** The purpose of the upload of the application itself. */
export const APPLICATION_UPLOAD = "the application";

/**
 * One submission: everything that a driver's objects depend on, as an immutable value. From here on the result is a
 * function of nothing else. Counterpart of Spark's `KubernetesDriverConf`.
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
  /** The user that Spark runs as, in the submitter's eyes. */
  readonly user: string;
  /** The submitter's environment. */
  readonly env: Environment;
  readonly ids: Identifiers;
  readonly files: LocalFiles;
  readonly uploads: FileUploads;
  /** Tells the user something that is no error: one line. Has no effect on the result. */
  readonly notice: (message: string) => void;
}

/** Resources of one kind of executor: Spark's default, or a stage's own `ResourceProfile`. */
export interface ResourceProfile {
  /** 0 is the default profile, whose values come from the configuration. */
  readonly id: number;
  readonly cores?: number;
  /** In MiB, as all sizes here. */
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

/** A driver pod that executors belong to. */
export interface DriverPodReference {
  readonly name: string;
  readonly uid: string;
}

/**
 * One executor to be made: everything that its pod depends on, as an immutable value. Counterpart of Spark's
 * `KubernetesExecutorConf` and of what `KubernetesExecutorBuilder` is given.
 */
export interface ExecutorRequest {
  readonly sparkVersion: string;
  /** The driver's configuration, as it is after the driver's start. */
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
  /** The ConfigMap of configuration files for executors, and the files in it that belong in the pod. */
  readonly confFiles: { readonly configMapName: string; readonly names: readonly string[] };
  /** The secret of `spark.authenticate`, where the driver made one. */
  readonly authSecret: string | undefined;
  readonly ids: Identifiers;
  /** Tells the user something that is no error: one line. Has no effect on the result. */
  readonly notice: (message: string) => void;
}
