/** Who shares a driver: all users of the profile, all sessions of one user, or nobody. */
export type Sharing = "all" | "user" | "session";

/** A stock Spark driver that runs the Spark Connect server. */
export interface SparkEngine {
  readonly kind: "spark";
  readonly sparkVersion: string | undefined;
  /** Spark's configuration, with what the profile's own fields say. */
  readonly conf: Readonly<Record<string, string>>;
}

/** Any other server that speaks Spark Connect, in a pod with one container. */
export interface ContainerEngine {
  readonly kind: "container";
  readonly image: string;
  readonly command: readonly string[];
  readonly port: number;
  readonly env: Readonly<Record<string, string>>;
  readonly cpu: string | undefined;
  readonly memory: string | undefined;
}

/** A kind of session that users can have, as the administrator describes it. */
export interface Profile {
  readonly name: string;
  /** For people who choose one. */
  readonly description: string;
  /** Where the drivers run. */
  readonly namespace: string;
  readonly engine: SparkEngine | ContainerEngine;
  readonly sharing: Sharing;
  /** The queue of sessions that name none. */
  readonly queue: string | undefined;
  /** Queues that a session may name, besides that one. */
  readonly queues: readonly string[];
  /** A driver without calls is stopped after so many seconds. */
  readonly idleSeconds: number;
  /** A driver is stopped so many seconds after its creation. */
  readonly ttlSeconds: number | undefined;
  /** A driver that is not ready after so many seconds is given up. */
  readonly startSeconds: number;
  /** How many drivers wait for a session. */
  readonly warm: number;
  /** How many drivers one user may have. */
  readonly driversPerUser: number;
  /** How many sessions one user may have in use. */
  readonly sessionsPerUser: number;
  /** Who may use it; `undefined`: those who may create pods in its namespace. */
  readonly access: Access | undefined;
}

export interface Access {
  readonly users: readonly string[];
  readonly groups: readonly string[];
}
