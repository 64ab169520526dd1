import { createHash } from "node:crypto";
import type { Clock } from "@kindling/outside";
import {
  acceptedTokens,
  type ClusterAccessReviews,
  expiringCache,
  type ReviewedUser,
  type ReviewLimits,
} from "@kindling/service";
import type { Authenticator, Identity } from "./authenticator.ts";
import { cannotAsk } from "./cluster-rights.ts";
import { tokenAudiences } from "./token-audiences.ts";

export interface KubernetesAuthenticatorOptions {
  readonly reviews: ClusterAccessReviews;
  /** A token must have one of these audiences, and may have no others. */
  readonly audiences: readonly string[];
  readonly clock: Clock;
  /** How long an answer of the API server is cached. */
  readonly cacheSeconds: number;
  readonly limits: ReviewLimits;
  readonly identityOf: (user: ReviewedUser) => Identity;
}

// A wrong token may become valid later (because of a slow clock), and repeated wrong tokens must not make the API server
// busy.
const REFUSAL_SECONDS = 5;
const MOST_KEPT = 10_000;
export const MAX_TOKEN_BYTES: number = 16 * 1024;

/** Tokens of the cluster: the API server says whose they are. */
export function kubernetesAuthenticator(options: KubernetesAuthenticatorOptions): Authenticator {
  const { reviews, clock, cacheSeconds, limits, identityOf } = options;
  const [audience, ...others] = options.audiences;
  if (audience === undefined) throw new Error("without an audience the API server would take its own");
  const users = expiringCache<ReviewedUser | undefined>(clock, MOST_KEPT);
  const accepted = acceptedTokens(MOST_KEPT);

  async function review(token: string, hash: string, client: string): Promise<ReviewedUser | undefined> {
    const ask = (): Promise<ReviewedUser | undefined> => reviews.reviewToken(token, [audience ?? "", ...others]);
    try {
      const user = await limits.askToken(client, accepted.has(hash), ask);
      if (user !== undefined) accepted.add(hash);
      return user;
    } catch (cause) {
      throw cannotAsk("this token", cause);
    }
  }

  return {
    wanted:
      `Authorization: Bearer with a token of the cluster for the audience ${audience} and no other: ` +
      `kubectl create token NAME --audience ${audience}`,
    async authenticate({ bearer, client }) {
      if (bearer === undefined || bearer.length > MAX_TOKEN_BYTES) return undefined;
      // A token that is also valid elsewhere must not be sent to other services.
      const isForUsAlone = tokenAudiences(bearer)?.every((one) => options.audiences.includes(one));
      if (isForUsAlone === false) return undefined;
      const key = createHash("sha256").update(bearer).digest("base64");
      const lifetime = (user: ReviewedUser | undefined): number =>
        user === undefined ? REFUSAL_SECONDS : cacheSeconds;
      const user = await users.get(key, lifetime, () => review(bearer, key, client));
      return user === undefined ? undefined : identityOf(user);
    },
  };
}
