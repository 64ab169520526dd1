import type { JsonObject } from "@kindling/test-kit/json";

/** A pod that the server refuses. */
export interface InvalidPod {
  /** The differences from a valid spec. */
  readonly spec: JsonObject;
  /** All of its faults, in the form of `Refusal.causes`. */
  readonly causes: readonly string[];
}
