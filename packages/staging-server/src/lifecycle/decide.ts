import type { BundleState, OwnerState } from "@kindling/staging-client";

/** What a bundle's fate depends on. Times are service seconds. */
export interface BundleLife {
  readonly state: BundleState;
  /** When it came into this state. */
  readonly since: number;
  readonly createdAt: number;
  readonly unusedSeconds: number;
}

export interface LifePolicy {
  readonly orphanGraceSeconds: number;
  /** Of bundles whose owner is not watched. */
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
 * What to do with a bundle, now that its owner was looked at.
 *
 * Only what is known for certain can make a bundle older: an owner of which nothing is known (`unknown`, the API server
 * does not answer) keeps it, whatever the clock says.
 */
export function decide(life: BundleLife, owner: OwnerState, now: number, policy: LifePolicy): Decision {
  const inState = now - life.since - policy.slackSeconds;
  const age = now - life.createdAt - policy.slackSeconds;
  switch (owner) {
    case "unknown":
      return KEEP;
    case "present":
      // Also one that nobody has fetched yet: its pod waits for room, longer perhaps than an unused bundle may.
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
      // The submitter has not come to creating the pod yet, or never will.
      return inState > life.unusedSeconds ? { action: "delete", reason: "unused" } : KEEP;
    case "used":
      return { action: "become", state: "orphan" };
    case "orphan":
      return inState > policy.orphanGraceSeconds ? { action: "delete", reason: "owner-gone" } : KEEP;
  }
}

/** How long until a bundle is dropped if nothing changes; `undefined` while nothing would drop it. */
export function expiresIn(life: BundleLife, owner: OwnerState, now: number, policy: LifePolicy): number | undefined {
  const inState = now - life.since;
  const left = (lifetime: number, lived: number): number =>
    Math.max(0, Math.ceil(lifetime + policy.slackSeconds - lived));
  if (owner === "unknown" || owner === "present") return undefined;
  if (life.state === "unused") return left(life.unusedSeconds, inState);
  if (owner === "unwatched") return left(policy.maxAgeSeconds, now - life.createdAt);
  return life.state === "orphan" ? left(policy.orphanGraceSeconds, inState) : left(policy.orphanGraceSeconds, 0);
}
