import type { Clock } from "@kindling/outside";
import type { RateLimit } from "./rate-guard.ts";

export interface ConnectionLimits {
  /** The highest number of connections at once. */
  readonly most: number;
  /** The highest number for one client: an authenticated client, or else an address. */
  readonly mostPerClient: number;
  /** Whether many clients share an address; then its connections are not counted together. */
  readonly isProxy: (address: string) => boolean;
}

/**
 * Why a connection was closed or refused: to make room for a new one; because its client already had its share; because no
 * room could be made; because it sent requests without waiting for answers; or because a body came too slowly.
 */
export type CutReason = "for-newcomer" | "per-client" | "full" | "pipelining" | "slow-body";

export interface GuardOptions {
  readonly limits: ConnectionLimits;
  readonly clock: Clock;
  readonly onCut: (reason: CutReason) => void;
  /** The lowest allowed speed of a body; absent if the code that reads bodies checks this itself. */
  readonly bodies?: RateLimit;
}
