import type { Clock } from "@kindling/outside";
import { expiringCache } from "../expiring-cache.ts";
import type { ClusterAccessReviews, ReviewedAction, ReviewedUser } from "./cluster-access-reviews.ts";

export interface KeptAccessOptions {
  readonly reviews: Pick<ClusterAccessReviews, "reviewAccess">;
  readonly clock: Clock;
  /** How long it is remembered that something is allowed. */
  readonly cacheSeconds: number;
}

/** What the API server says of a user's right. */
export interface Access {
  readonly allowed: boolean;
  readonly reason: string;
}

// A right may be granted soon, and repeated questions must not make the API server busy.
const REFUSAL_SECONDS = 5;
const MOST_KEPT = 10_000;

/** Asks the API server about rights, and remembers its answers for a while. Failures are not remembered. */
export function keptAccess({
  reviews,
  clock,
  cacheSeconds,
}: KeptAccessOptions): (user: ReviewedUser, action: ReviewedAction) => Promise<Access> {
  const answers = expiringCache<Access>(clock, MOST_KEPT);
  const lifetime = ({ allowed }: Access): number => (allowed ? cacheSeconds : REFUSAL_SECONDS);
  return (user, action) =>
    answers.get(JSON.stringify([user, action]), lifetime, () => reviews.reviewAccess(user, action));
}
