import type { SpotRule } from "../queue.ts";

/** The kinds of nodes that clouds sell: `spot` nodes are cheap and can be taken back at any time. */
export type CapacityType = "spot" | "on-demand";

/** How many executors of an application are on nodes of each kind, or wait for one of it. */
export type SpotMix = Readonly<Record<CapacityType, number>>;

/**
 * The kind of node for the next executor of an application: so that after it as many executors are on spot nodes as the share
 * says, rounded to the nearest number. If the minimum executors are to be on on-demand nodes, these come first, and all later
 * executors are on spot nodes until the share is reached.
 *
 * @param minimum how many executors the application needs for its start
 */
export function nextCapacityType({ share, onDemand }: SpotRule, mix: SpotMix, minimum: number): CapacityType {
  if (onDemand.includes("minExecutors") && mix["on-demand"] < minimum) return "on-demand";
  return mix.spot < Math.round(share * (mix.spot + mix["on-demand"] + 1)) ? "spot" : "on-demand";
}

/**
 * The kind that has too many of an application's executors for its share, by more than one executor; `undefined` if its mix
 * is near enough. Losses and a driver that gives executors back may leave such a mix.
 *
 * @param minimum how many executors the application needs for its start
 */
export function excessType({ share, onDemand }: SpotRule, mix: SpotMix, minimum: number): CapacityType | undefined {
  const all = mix.spot + mix["on-demand"];
  const reserved = onDemand.includes("minExecutors") ? Math.min(minimum, all) : 0;
  const off = mix.spot - Math.min(share * all, all - reserved);
  if (Math.abs(off) <= 1) return undefined;
  return off > 0 ? "spot" : "on-demand";
}
