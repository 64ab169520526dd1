import { createHash } from "node:crypto";
import type { Clock } from "@kindling/staging-client";
import { ProblemError } from "../problem-error.ts";
import type { Authenticator, Decision, Identity } from "./authenticator.ts";
import type { ClusterAccessReviews, ReviewedAction, ReviewedUser } from "./cluster-access.ts";
import { expiringCache } from "./expiring-cache.ts";
import type { ReviewLimits } from "./review-limits.ts";
import { mayBeForUs } from "./token-shape.ts";

export interface KubernetesAuthenticatorOptions {
  readonly reviews: ClusterAccessReviews;
  readonly audiences: readonly string[];
  readonly clock: Clock;
  /** How long an answer of the API server is believed; at most a minute, so that a revoked right soon ends. */
  readonly cacheSeconds: number;
  readonly limits: ReviewLimits;
  /** Seconds since the epoch. */
  readonly wallSeconds: () => number;
}

// A wrong token may become a right one (a clock that was slow), and must not be a way to make this server busy.
const REFUSAL_SECONDS = 5;
const MAX_TOKEN_BYTES = 16 * 1024;
const MOST_ACCEPTED = 10_000;

/**
 * Who the cluster knows may do here what they may do there: whoever can create pods in a namespace can upload files for
 * them, whoever can delete pods everywhere can administer. No identities of our own.
 */
export function kubernetesAuthenticator(options: KubernetesAuthenticatorOptions): Authenticator {
  const { reviews, clock, cacheSeconds, limits } = options;
  const users = expiringCache<ReviewedUser | undefined>(clock, 10_000);
  const decisions = expiringCache<Decision>(clock, 10_000);

  // Tokens that were accepted before, by their hash: they go on working while somebody else tries wrong ones.
  const accepted = new Set<string>();

  function remember(key: string): void {
    accepted.delete(key);
    accepted.add(key);
    const [oldest] = accepted;
    if (accepted.size > MOST_ACCEPTED && oldest !== undefined) accepted.delete(oldest);
  }

  async function review(token: string, client: string): Promise<ReviewedUser | undefined> {
    if (!mayBeForUs(token, options.audiences, options.wallSeconds())) return undefined;
    const key = createHash("sha256").update(token).digest("base64");
    return await users.get(
      key,
      (user) => (user === undefined ? REFUSAL_SECONDS : cacheSeconds),
      async () => {
        const ask = (): Promise<ReviewedUser | undefined> =>
          asking(() => reviews.reviewToken(token, options.audiences));
        const user = await limits.askToken(client, accepted.has(key), ask);
        if (user !== undefined) remember(key);
        return user;
      },
    );
  }

  async function decide(user: ReviewedUser, action: ReviewedAction): Promise<Decision> {
    const key = JSON.stringify([user, action]);
    return await decisions.get(
      key,
      ({ allowed }) => (allowed ? cacheSeconds : REFUSAL_SECONDS),
      async () => {
        const ask = (): ReturnType<typeof reviews.reviewAccess> => asking(() => reviews.reviewAccess(user, action));
        const { allowed, reason } = await limits.askRight(user.username, ask);
        if (allowed) return { allowed };
        const where = action.namespace === undefined ? "in all namespaces" : `in namespace ${action.namespace}`;
        const why = reason === "" ? "" : `: ${reason}`;
        return { allowed, reason: `${user.username} may not ${action.verb} ${action.resource} ${where}${why}` };
      },
    );
  }

  return {
    mode: "kubernetes",
    async authenticate({ bearer, client }): Promise<Identity | undefined> {
      if (bearer === undefined || bearer.length > MAX_TOKEN_BYTES) return undefined;
      const user = await review(bearer, client);
      if (user === undefined) return undefined;
      return {
        subject: user.username,
        mayUpload: (namespace) => decide(user, { verb: "create", resource: "pods", namespace }),
        mayAdminister: async () => (await decide(user, { verb: "delete", resource: "pods" })).allowed,
      };
    },
  };
}

async function asking<T>(question: () => Promise<T>): Promise<T> {
  try {
    return await question();
  } catch (error) {
    throw new ProblemError("store-unavailable", "the API server cannot be asked about these credentials", {
      cause: error,
      retryAfterSeconds: 2,
    });
  }
}
