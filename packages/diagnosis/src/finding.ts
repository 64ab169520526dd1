/** What is wrong, in one word, for programs. A cause is never reused for another meaning. */
export type Cause =
  /** The application's own code failed, or what it called. */
  | "ApplicationFailed"
  | "ClassNotFound"
  | "FileNotFound"
  /** A module that Python does not find, or cannot load. */
  | "ModuleNotFound"
  | "JavaHeapFull"
  /** Metaspace, direct memory, threads: memory of Java's outside of its heap. */
  | "JavaMemoryFull"
  /** The JVM does not start, for an option or an agent. */
  | "JavaOptions"
  | "PythonWorkerCrashed"
  | "PythonMemoryFull"
  | "OOMKilled"
  | "Killed"
  | "Evicted"
  | "Preempted"
  | "NodeLost"
  /** The kubelet would not have a pod that had been given to it, or ended it, for a reason of its own. */
  | "RefusedByNode"
  /** The pod's activeDeadlineSeconds are over. */
  | "DeadlineExceeded"
  | "ImagePull"
  /** The image is no image of Spark, or not one for this node or user. */
  | "WrongImage"
  | "ContainerConfig"
  | "ContainerFailed"
  | "CrashLoop"
  | "Localizer"
  | "Unschedulable"
  /** No node has room, and an autoscaler is adding one. */
  | "NodeComing"
  /** Another scheduler than Kubernetes' own holds the pod in a queue or a group of its. */
  | "SchedulerQueue"
  /** A scheduling gate holds the pod back, on purpose. */
  | "SchedulingGated"
  | "Volume"
  | "Forbidden"
  /** A store, a database, an account other than the cluster's. */
  | "AccessDenied"
  /** A name or an address that cannot be reached from the pod. */
  | "Unreachable"
  | "DiskFull"
  | "QuotaExceeded"
  /** The API server takes no executor as it is. */
  | "ExecutorsRefused"
  | "ExecutorsFailing"
  | "NoExecutors"
  | "SlowStart"
  /** The application has ended, and other containers keep its pod. */
  | "SidecarRunsOn"
  | "Deleted";

export type Role = "driver" | "executor";

/** One thing that is wrong with an application. */
export interface Finding {
  readonly cause: Cause;
  /** `failure`: it ended the application. `obstacle`: the application waits for it, or works without what it takes away. */
  readonly severity: "failure" | "obstacle";
  /** The word that Kubernetes has for it, for a column: OOMKilled, ImagePullBackOff, Insufficient memory. */
  readonly word: string;
  readonly role: Role;
  /** The pods that it is about; none where they are gone. */
  readonly pods: readonly string[];
  readonly container: string | undefined;
  /** What is wrong, in one line. */
  readonly summary: string;
  /** What shows it: the scheduler's words, an exception and its causes. A line each. */
  readonly details: readonly string[];
  /** What would help, in one line. */
  readonly advice: string | undefined;
  /** How often it happened. */
  readonly times: number;
  /** RFC 3339: since when. */
  readonly since: string | undefined;
}

/** How an application is, and why. */
export interface Diagnosis {
  /** For a column: a phase, or what keeps the application from going on, in a few words. */
  readonly state: string;
  /** What is wrong, the most important first; empty where nothing is known to be. */
  readonly findings: readonly Finding[];
  readonly executors: ExecutorCounts | undefined;
}

export interface ExecutorCounts {
  readonly running: number;
  /** All that are there and have not ended. */
  readonly total: number;
}
