import type { DriverEnd } from "./driver-end.ts";
import type { RestartWish } from "./restart-wish.ts";

/** The facts about a driver pod that has ended. */
export interface Ended {
  readonly wish: RestartWish;
  readonly end: DriverEnd;
  /** How many earlier restarts count against the limit. */
  readonly counted: number;
  /** Whether another object owns the pod: then perhaps that object was deleted. */
  readonly isOwned: boolean;
}

export type RestartDecision =
  | { readonly kind: "none"; readonly why: string; readonly isExhausted: boolean }
  /** Restart it `pauseMs` after its end; `counted` is recorded on the next driver pod. */
  | { readonly kind: "again"; readonly pauseMs: number; readonly counted: number };

/** Doubling stops here; a pause that was set longer stays as it is. */
const LONGEST_PAUSE_MS = 15 * 60_000;

/**
 * Whether the driver is restarted. If a pod was deleted by hand, or with another tool than `kindling kill`, the application
 * ends, unless it must always run.
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

/** A number of times, in words. */
export function times(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}
