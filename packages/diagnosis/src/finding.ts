/** What is wrong, in one word for programs. A cause is never reused for another meaning. */
export type Cause =
  /** The application's own code failed, or code that it called. */
  | "ApplicationFailed"
  | "ClassNotFound"
  | "FileNotFound"
  /** Python does not find a module, or cannot load it. */
  | "ModuleNotFound"
  | "JavaHeapFull"
  /** Metaspace, direct memory, threads: Java memory outside of its heap. */
  | "JavaMemoryFull"
  /** The JVM does not start because of an option or an agent. */
  | "JavaOptions"
  | "PythonWorkerCrashed"
  | "PythonMemoryFull"
  /** A gateway has made executors larger, and they would need more than they may have. */
  | "MemoryExhausted"
  | "OOMKilled"
  | "Killed"
  | "Evicted"
  | "Preempted"
  | "NodeLost"
  /** The kubelet refused a pod that was assigned to it, or ended it, for a reason of its own. */
  | "RefusedByNode"
  /** The pod's activeDeadlineSeconds have passed. */
  | "DeadlineExceeded"
  | "ImagePull"
  /** The image is no image of Spark, or it is not made for this node or user. */
  | "WrongImage"
  | "ContainerConfig"
  | "ContainerFailed"
  | "CrashLoop"
  | "Localizer"
  | "Unschedulable"
  /** No node has room, and an autoscaler is adding one. */
  | "NodeComing"
  /** A scheduler other than Kubernetes' own holds the pod in a queue or a group. */
  | "SchedulerQueue"
  /** A scheduling gate holds the pod back, on purpose. */
  | "SchedulingGated"
  | "Volume"
  | "Forbidden"
  /** A store, a database, or an account outside of the cluster. */
  | "AccessDenied"
  /** A name or an address that cannot be reached from the pod. */
  | "Unreachable"
  | "DiskFull"
  | "QuotaExceeded"
  /** The API server refuses the executors as they are. */
  | "ExecutorsRefused"
  | "ExecutorsFailing"
  | "NoExecutors"
  | "SlowStart"
  /** The application has ended, but other containers keep its pod running. */
  | "SidecarRunsOn"
  | "Deleted";

export type Role = "driver" | "executor";

/** One thing that is wrong with an application. */
export interface Finding {
  readonly cause: Cause;
  /**
   * `failure`: it ended the application. `obstacle`: the application waits for it, or runs with fewer resources because of
   * it.
   */
  readonly severity: "failure" | "obstacle";
  /** Kubernetes' word for it, for a column: OOMKilled, ImagePullBackOff, Insufficient memory. */
  readonly word: string;
  readonly role: Role;
  /** The affected pods; none if they are gone. */
  readonly pods: readonly string[];
  readonly container: string | undefined;
  /** What is wrong, in one line. */
  readonly summary: string;
  /** The evidence: the scheduler's words, an exception and its causes. One line each. */
  readonly details: readonly string[];
  /** What would help, in one line. */
  readonly advice: string | undefined;
  /** How often it happened. */
  readonly times: number;
  /** The start of the problem, RFC 3339. */
  readonly since: string | undefined;
}

/** The state of an application, and the reason for it. */
export interface Diagnosis {
  /** For a column: a phase, or the reason why the application does not go on, in a few words. */
  readonly state: string;
  /** What is wrong, the most important first; empty if no problem is known. */
  readonly findings: readonly Finding[];
  readonly executors: ExecutorCounts | undefined;
}

export interface ExecutorCounts {
  readonly running: number;
  /** All that exist and have not ended. */
  readonly total: number;
  /** Pods of executors that have ended, which stay for their shuffle files; missing if there are none. */
  readonly keepers?: number;
}
