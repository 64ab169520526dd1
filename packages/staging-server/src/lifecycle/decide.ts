import type { BundleState, OwnerState } from "@kindling/staging-client";

/** The facts on which the decision about a bundle depends. Times are service seconds. */
export interface BundleLife {
  readonly state: BundleState;
  /** When it came into this state. */
  readonly since: number;
  readonly createdAt: number;
  readonly unusedSeconds: number;
}

export interface LifePolicy {
  readonly orphanGraceSeconds: number;
  /** For bundles whose owner is not watched. */
  readonly maxAgeSeconds: number;
  /** See `ServiceClock`. */
  readonly slackSeconds: number;
}

export type Decision =
  | { readonly action: "keep" }
  | { readonly action: "become"; readonly state: BundleState }
  | { readonly action: "delete"; readonly reason: DeletionReason };

export type DeletionReason = "unused" | "owner-gone" | "max-age" | "requested";

const KEEP: Decision = { action: "keep" };

/**
 * What to do with a bundle, given the state of its owner.
 *
 * Only certain knowledge can make a bundle older: if the state of its owner is not known (`unknown`, the API server does
 * not answer), the bundle stays, whatever the clock says.
 */
export function decide(life: BundleLife, owner: OwnerState, now: number, policy: LifePolicy): Decision {
  const inState = now - life.since - policy.slackSeconds;
  const age = now - life.createdAt - policy.slackSeconds;
  switch (owner) {
    case "unknown":
      return KEEP;
    case "present":
      // Also a bundle that no pod has fetched yet: its pod may wait for room longer than an unused bundle may live.
      return life.state === "used" ? KEEP : { action: "become", state: "used" };
    case "unwatched":
      if (life.state === "unused") return inState > life.unusedSeconds ? { action: "delete", reason: "unused" } : KEEP;
      return age > policy.maxAgeSeconds ? { action: "delete", reason: "max-age" } : KEEP;
    case "absent":
    case "finished":
      return withoutOwner(life, inState, policy);
  }
}

function withoutOwner(life: BundleLife, inState: number, policy: LifePolicy): Decision {
  switch (life.state) {
    case "unused":
      // The submitter has not created the pod yet, or never will.
      return inState > life.unusedSeconds ? { action: "delete", reason: "unused" } : KEEP;
    case "used":
      return { action: "become", state: "orphan" };
    case "orphan":
      return inState > policy.orphanGraceSeconds ? { action: "delete", reason: "owner-gone" } : KEEP;
  }
}

/** The time until a bundle is deleted if nothing changes; `undefined` if it would not be deleted. */
export function expiresIn(life: BundleLife, owner: OwnerState, now: number, policy: LifePolicy): number | undefined {
  const inState = now - life.since;
  const left = (lifetime: number, lived: number): number =>
    Math.max(0, Math.ceil(lifetime + policy.slackSeconds - lived));
  if (owner === "unknown" || owner === "present") return undefined;
  if (life.state === "unused") return left(life.unusedSeconds, inState);
  if (owner === "unwatched") return left(policy.maxAgeSeconds, now - life.createdAt);
  return life.state === "orphan" ? left(policy.orphanGraceSeconds, inState) : left(policy.orphanGraceSeconds, 0);
}
