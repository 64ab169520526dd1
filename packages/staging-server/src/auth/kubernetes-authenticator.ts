import { createHash } from "node:crypto";
import type { Clock } from "@kindling/outside";
import {
  acceptedTokens,
  type ClusterAccessReviews,
  expiringCache,
  type ReviewedAction,
  type ReviewedUser,
  type ReviewLimits,
} from "@kindling/service";
import { tokenClaims, type TokenClaims } from "@kindling/staging-client";
import { ProblemError } from "../errors/problem-error.ts";
import type { Authenticator, Decision, Identity } from "./authenticator.ts";
import { submitterNamespace } from "./submitter-account.ts";
import { mayBeForUs } from "./token-shape.ts";

export interface KubernetesAuthenticatorOptions {
  readonly reviews: ClusterAccessReviews;
  /** At least one: without an audience, the API server would use its own. */
  readonly audiences: readonly [string, ...string[]];
  /** Names of the service accounts that may upload for their own namespace. */
  readonly submitters: readonly string[];
  readonly clock: Clock;
  /** How long an answer of the API server is valid; at most a minute, so that a revoked right soon ends. */
  readonly cacheSeconds: number;
  readonly limits: ReviewLimits;
}

/** A token and its claims; an opaque token has none. */
interface Token {
  readonly text: string;
  readonly claims: TokenClaims | undefined;
}

// A wrong token may become valid later (a slow clock). And wrong tokens must not be a way to make this server busy.
const REFUSAL_SECONDS = 5;
const MAX_TOKEN_BYTES = 16 * 1024;
const MOST_ACCEPTED = 10_000;

/**
 * Users of the cluster have the same rights here as in the cluster: a user who can create pods in a namespace can upload
 * files for them, and a user who can delete pods everywhere can administer. A submitter's account may upload for its own
 * namespace; its token is enough. This server has no identities of its own.
 */
export function kubernetesAuthenticator(options: KubernetesAuthenticatorOptions): Authenticator {
  const { reviews, clock, cacheSeconds, audiences, limits } = options;
  const users = expiringCache<ReviewedUser | undefined>(clock, 10_000);
  const decisions = expiringCache<Decision>(clock, 10_000);

  const accepted = acceptedTokens(MOST_ACCEPTED);

  async function review(token: Token, client: string): Promise<ReviewedUser | undefined> {
    if (!mayBeForUs(token.claims, audiences, clock.now() / 1000)) return undefined;
    const key = createHash("sha256").update(token.text).digest("base64");
    return await users.get(
      key,
      (user) => (user === undefined ? REFUSAL_SECONDS : Math.min(cacheSeconds, secondsLeft(token.claims))),
      async () => {
        const ask = (): Promise<ReviewedUser | undefined> => asking(() => reviews.reviewToken(token.text, audiences));
        const user = await limits.askToken(client, accepted.has(key), ask);
        if (user !== undefined) accepted.add(key);
        return user;
      },
    );
  }

  function secondsLeft(claims: TokenClaims | undefined): number {
    const end = claims?.expires;
    return end === undefined ? Infinity : Math.max(0, end - clock.now() / 1000);
  }

  /**
   * A token that is valid elsewhere too must not be passed around. The sender of such a token is told so, once the token
   * is accepted.
   */
  function checkWorth(claims: TokenClaims | undefined): void {
    const others = claims?.audiences.filter((audience) => !audiences.includes(audience)) ?? [];
    if (others.length === 0) return;
    const wanted = audiences.join(" or ");
    throw new ProblemError(
      "unauthorized",
      `this token is not only for ${wanted}: make one that is valid for nothing else`,
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

  function identityOf(user: ReviewedUser): Identity {
    return {
      subject: user.username,
      mayUpload: (namespace) => decide(user, { verb: "create", resource: "pods", namespace }),
      mayAdminister: async () => (await decide(user, { verb: "delete", resource: "pods" })).allowed,
    };
  }

  return {
    mode: "kubernetes",
    async authenticate({ bearer, client }): Promise<Identity | undefined> {
      if (bearer === undefined || bearer.length > MAX_TOKEN_BYTES) return undefined;
      const token = { text: bearer, claims: tokenClaims(bearer) };
      const user = await review(token, client);
      if (user === undefined) return undefined;
      checkWorth(token.claims);
      const own = submitterNamespace(user.username, options.submitters);
      return own === undefined ? identityOf(user) : submitterIdentity(user.username, own);
    },
  };
}

/** Such an account has only this right here, whatever rights it has in the cluster. */
function submitterIdentity(username: string, own: string): Identity {
  return {
    subject: username,
    mayUpload(namespace): Promise<Decision> {
      if (namespace === own) return Promise.resolve({ allowed: true });
      return Promise.resolve({ allowed: false, reason: `${username} may upload for namespace ${own} only` });
    },
    mayAdminister: () => Promise.resolve(false),
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
