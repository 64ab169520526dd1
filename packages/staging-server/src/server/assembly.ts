import type { Clock, Random } from "@kindling/outside";
import type { ConnectionGuard } from "@kindling/service";
import type { FastifyBaseLogger } from "fastify";
import type { Authenticator } from "../auth/authenticator.ts";
import type { ClusterConnection } from "../cluster/cluster-connection.ts";
import type { ServerConfig } from "../config/server-config.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { DamageCount } from "../stores/damage.ts";
import type { Storage } from "../stores/store-driver.ts";
import type { ServerPlan } from "./server-plan.ts";

/** The parts that a server is made of. */
export interface Assembly {
  readonly config: ServerConfig;
  readonly plan: ServerPlan;
  readonly connections: ConnectionGuard;
  readonly metrics: Metrics;
  readonly storage: Storage;
  readonly damage: DamageCount;
  readonly cluster: ClusterConnection | undefined;
  readonly authenticator: Authenticator;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: FastifyBaseLogger;
  /** Distinguishes this server from others that share its storage. */
  readonly replica: string;
  readonly stopping: AbortSignal;
}
