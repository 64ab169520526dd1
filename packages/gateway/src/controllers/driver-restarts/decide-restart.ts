import type { DriverEnd } from "./driver-end.ts";
import type { RestartWish } from "./restart-wish.ts";

/** What a driver pod tells about itself. */
export interface Ended {
  readonly wish: RestartWish;
  readonly end: DriverEnd;
  /** How many restarts before it count against the limit. */
  readonly counted: number;
  /** Whether another object owns the pod, which may be what is being deleted. */
  readonly isOwned: boolean;
}

export type RestartDecision =
  | { readonly kind: "none"; readonly why: string; readonly isExhausted: boolean }
  /** After so many milliseconds from its end; `counted` is what the next driver pod has to remember. */
  | { readonly kind: "again"; readonly pauseMs: number; readonly counted: number };

/** However often it doubles; a pause that was set longer stays as it is. */
const LONGEST_PAUSE_MS = 15 * 60_000;

/**
 * Whether another driver follows. Whoever deletes a pod by hand, or with another tool than `kindling kill`, ends the
 * application, unless it is to run always.
 */
export function decideRestart({ wish, end, counted, isOwned }: Ended): RestartDecision {
  const none = (why: string, isExhausted = false): RestartDecision => ({ kind: "none", why, isExhausted });
  if (end.how === "deleted" && (wish.when === "onFailure" || isOwned)) return none("its pod was deleted");
  if (end.how === "succeeded" && wish.when === "onFailure") return none("it has done its work");
  const before = end.ranMs >= wish.resetAfterSeconds * 1000 ? 0 : counted;
  if (before >= wish.maxRestarts) return none(`it was started again ${times(before)} already`, true);
  const base = wish.backoffSeconds * 1000;
  const pauseMs = Math.min(base * 2 ** before, Math.max(base, LONGEST_PAUSE_MS));
  return { kind: "again", pauseMs, counted: before + 1 };
}

/** How often something happened, in words. */
export function times(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}
