import type { CONNECT_API_VERSION } from "./custom-resources.ts";
import type { ApplicationMeta } from "./spark-application.ts";
import type { SparkConnectSpec } from "./spec/connect-spec.ts";

/** A SparkConnect as it is read from the API server (kubeflow/spark-operator v2.5.2, api/v1alpha1). */
export interface SparkConnect {
  readonly apiVersion: typeof CONNECT_API_VERSION;
  readonly kind: "SparkConnect";
  readonly metadata: ApplicationMeta;
  readonly spec: SparkConnectSpec;
  /** The operator's status; empty for an object that the operator has not handled yet. */
  readonly status: SparkConnectStatus;
}

/**
 * The states of a Connect server, by stock's names (api/v1alpha1, `SparkConnectState`). A new object has the empty state.
 */
export const CONNECT_STATES = ["", "Provisioning", "Ready", "NotReady", "Failed"] as const;

export type ConnectState = (typeof CONNECT_STATES)[number];

/** Times are RFC 3339 in UTC with whole seconds. */
export interface SparkConnectStatus {
  readonly conditions?: readonly ConnectCondition[] | undefined;
  readonly state?: ConnectState | undefined;
  readonly server?: ConnectServerStatus | undefined;
  /** How many pods of executors are in each phase; the phases are in lower case. */
  readonly executors?: Readonly<Record<string, number>> | undefined;
  /** When an operator first handled the object. */
  readonly startTime?: string | undefined;
  readonly lastUpdateTime?: string | undefined;
}

/** A condition of Kubernetes (meta/v1, `Condition`). */
export interface ConnectCondition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime: string;
  /** The generation of the object that the condition is about. */
  readonly observedGeneration?: number | undefined;
}

interface ConnectServerStatus {
  readonly podName?: string | undefined;
  readonly podIp?: string | undefined;
  readonly serviceName?: string | undefined;
}

/** The status of an object that no operator has handled yet. */
export const NO_CONNECT_STATUS: SparkConnectStatus = {};
