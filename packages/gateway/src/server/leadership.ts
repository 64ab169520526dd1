import { hostname } from "node:os";
import type { LeaseSettings } from "@kindling/controller";
import type { GatewayConfig } from "../config/gateway-keys.ts";
import { leaseOf } from "../config/leader-config.ts";

/** The name of this replica, and the Lease that decides which replica leads. Without a Lease, this replica leads. */
export function leadershipOf(config: GatewayConfig): {
  readonly identity: string;
  readonly lease: LeaseSettings | undefined;
} {
  return {
    identity: config["leader.identity"] ?? `${hostname()}_${process.pid}`,
    lease: config["leader.election"] ? leaseOf(config) : undefined,
  };
}
