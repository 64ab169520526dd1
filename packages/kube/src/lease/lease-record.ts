import type { Lease } from "kubernetes-types/coordination/v1.js";
import { isFields } from "../fields.ts";

/** How a candidate sees a lease. */
export type LeaseView =
  | { readonly kind: "mine" }
  /** Nobody holds it, or it has expired. */
  | { readonly kind: "free" }
  | { readonly kind: "held"; readonly by: string };

/** What a candidate remembers of a lease: when, by its own monotonic clock, the record last changed. */
export interface LeaseObservation {
  readonly lease: Lease;
  readonly seenAt: number;
}

/** Records a lease that was just read. Its times come from other clocks, so only changes count, never the times themselves. */
export function observe(lease: Lease, before: LeaseObservation | undefined, now: number): LeaseObservation {
  const isUnchanged = before !== undefined && recordOf(before.lease) === recordOf(lease);
  return { lease, seenAt: isUnchanged ? before.seenAt : now };
}

export function viewOf(observation: LeaseObservation, identity: string, now: number): LeaseView {
  const { holderIdentity: holder = "", leaseDurationSeconds = 0 } = specOf(observation.lease);
  if (holder === identity) return { kind: "mine" };
  const hasRunOut = now >= observation.seenAt + leaseDurationSeconds * 1000;
  return holder === "" || hasRunOut ? { kind: "free" } : { kind: "held", by: holder };
}

/** The lease, held by a candidate. */
export function heldLease(lease: Lease, identity: string, durationSeconds: number, now: number): Lease {
  const spec = specOf(lease);
  const isTakenOver = spec.holderIdentity !== identity;
  return {
    ...lease,
    spec: {
      ...spec,
      holderIdentity: identity,
      leaseDurationSeconds: durationSeconds,
      acquireTime: isTakenOver || spec.acquireTime === undefined ? microTime(now) : spec.acquireTime,
      renewTime: microTime(now),
      leaseTransitions: spec.leaseTransitions === undefined ? 0 : spec.leaseTransitions + (isTakenOver ? 1 : 0),
    },
  };
}

/** The released lease: the next candidate need not wait until it expires. */
export function releasedLease(lease: Lease, now: number): Lease {
  return {
    ...lease,
    spec: { ...lease.spec, holderIdentity: "", leaseDurationSeconds: 1, renewTime: microTime(now) },
  };
}

/** `MicroTime` of meta/v1: RFC 3339 with exactly six digits after the point. */
function microTime(now: number): string {
  return new Date(now).toISOString().replace("Z", "000Z");
}

/** The `spec` from the server; empty if it is not an object. */
function specOf({ spec }: Lease): NonNullable<Lease["spec"]> {
  return isFields(spec) ? spec : {};
}

function recordOf(lease: Lease): string {
  const { holderIdentity, renewTime, leaseTransitions } = specOf(lease);
  return JSON.stringify([holderIdentity, renewTime, leaseTransitions]);
}
