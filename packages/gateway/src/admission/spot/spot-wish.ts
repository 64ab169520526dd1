import type { SpotRule } from "@kindling/admission";

/** What an application wishes of spot nodes. */
export interface SpotWish {
  readonly rule: SpotRule;
  /** How many executors it needs for its start. */
  readonly minimum: number;
  /** How many of its executors wait for their admission: these may still mend the mix. */
  readonly waiting: number;
}
