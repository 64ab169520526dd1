import { createHash } from "node:crypto";
import type { Clock } from "@kindling/outside";
import { expiringCache } from "../expiring-cache.ts";
import { acceptedTokens } from "./accepted-tokens.ts";
import type { ClusterAccessReviews, ReviewedUser } from "./cluster-access-reviews.ts";
import type { ReviewLimits } from "./review-limits.ts";
import { tokenAudiences } from "./token-audiences.ts";

export interface TokenUsersOptions {
  readonly reviews: Pick<ClusterAccessReviews, "reviewToken">;
  /** A token must have one of these audiences, and may have no others. */
  readonly audiences: readonly string[];
  readonly clock: Clock;
  /** How long an answer of the API server is cached. */
  readonly cacheSeconds: number;
  readonly limits: ReviewLimits;
}

/** Whose a token is, by a client that its address stands for; `undefined` for a token that is not accepted. */
export type TokenUsers = (token: string, client: string) => Promise<ReviewedUser | undefined>;

// A wrong token may become valid later (because of a slow clock), and repeated wrong tokens must not make the API server
// busy.
const REFUSAL_SECONDS = 5;
const MOST_KEPT = 10_000;
/** No cluster issues longer ones. */
export const MAX_TOKEN_BYTES: number = 16 * 1024;

/**
 * Asks the API server whose tokens are, and remembers its answers for a while.
 *
 * Its function rejects with the error of `limits`, or with that of the question.
 */
export function tokenUsers({ reviews, audiences, clock, cacheSeconds, limits }: TokenUsersOptions): TokenUsers {
  const [audience, ...others] = audiences;
  if (audience === undefined) throw new Error("without an audience the API server would take its own");
  const users = expiringCache<ReviewedUser | undefined>(clock, MOST_KEPT);
  const accepted = acceptedTokens(MOST_KEPT);
  const lifetime = (user: ReviewedUser | undefined): number => (user === undefined ? REFUSAL_SECONDS : cacheSeconds);

  return async (token, client) => {
    if (token.length > MAX_TOKEN_BYTES) return undefined;
    // A token that is also valid elsewhere must not be sent to other services.
    if (tokenAudiences(token)?.every((one) => audiences.includes(one)) === false) return undefined;
    const hash = createHash("sha256").update(token).digest("base64");
    return await users.get(hash, lifetime, async () => {
      const ask = (): Promise<ReviewedUser | undefined> => reviews.reviewToken(token, [audience, ...others]);
      const user = await limits.askToken(client, accepted.has(hash), ask);
      if (user !== undefined) accepted.add(hash);
      return user;
    });
  };
}
