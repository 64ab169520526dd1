import type { Clock } from "@kindling/outside";
import type { RateLimit } from "./rate-guard.ts";

export interface ConnectionLimits {
  /** Most connections at once. */
  readonly most: number;
  /** Most of them of one client: of somebody known, else from one address. */
  readonly mostPerClient: number;
  /** Whether many clients share an address, so that its connections are not counted together. */
  readonly isProxy: (address: string) => boolean;
}

/**
 * Why a connection was not kept: for a newcomer, because its client had its share, because nobody could make room, for
 * sending requests without waiting for answers, for a body that came too slowly.
 */
export type CutReason = "for-newcomer" | "per-client" | "full" | "pipelining" | "slow-body";

export interface GuardOptions {
  readonly limits: ConnectionLimits;
  readonly clock: Clock;
  readonly onCut: (reason: CutReason) => void;
  /** The slowest that a body may come; absent where those who read bodies see to that. */
  readonly bodies?: RateLimit;
}
