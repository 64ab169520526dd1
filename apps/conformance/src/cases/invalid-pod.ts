import type { JsonObject } from "@kindling/test-kit/json";

/** A pod that is refused. */
export interface InvalidPod {
  /** What differs from a spec that is good. */
  readonly spec: JsonObject;
  /** All that is wrong with it, as `Refusal.causes` has it. */
  readonly causes: readonly string[];
}
