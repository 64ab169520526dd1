import type { CapacitySetting } from "./capacity-setting.ts";
import type { LogLevel } from "@kindling/service";
import type { LeaderConfig } from "./leader-config.ts";
import type { LimitConfig } from "./limit-config.ts";
import type { ObjectLimits } from "./object-limits.ts";

/** All settings of a gateway, read and checked. Durations are seconds. The reference is in `gateway-keys.ts`. */
export interface GatewayConfig extends LeaderConfig, LimitConfig, ObjectLimits {
  readonly "listen.host": string;
  readonly "listen.port": number;
  /** Undefined: as many as there is memory for. */
  readonly "listen.connections": number | undefined;
  readonly "admin.host": string;
  readonly "admin.port": number;
  readonly "admin.page": boolean;
  readonly "admin.hosts": readonly string[];

  readonly "tls.certFile": string | undefined;
  readonly "tls.keyFile": string | undefined;
  readonly "tls.caFile": string | undefined;
  readonly "tls.reloadInterval": number;
  readonly "tls.plainHttp": boolean;

  readonly "auth.audiences": readonly string[];
  readonly "auth.cache": number;
  readonly "auth.reviews": number;

  readonly "cluster.kubeconfig": string | undefined;
  readonly "cluster.namespaces": readonly string[];

  readonly capacity: CapacitySetting;
  readonly "queues.file": string | undefined;
  readonly "queues.reloadInterval": number;
  readonly "queues.keptIn": string | undefined;
  readonly "queues.promise": number;
  readonly "queues.preemption": boolean;
  readonly "queues.preemptionGrace": number;

  readonly "executors.concurrency": number;
  readonly "executors.perApplication": number;
  readonly "executors.images": readonly string[];
  readonly "executors.orphanGrace": number;
  readonly "executors.steps": readonly string[];
  readonly "watches.perApplication": number;

  readonly "log.level": LogLevel;
}

export type GatewayKeyName = keyof GatewayConfig;
