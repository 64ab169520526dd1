import { createHash } from "node:crypto";
import { grantCommand } from "@kindling/diagnosis";
import type { Clock } from "@kindling/outside";
import {
  acceptedTokens,
  type ClusterAccessReviews,
  expiringCache,
  type ReviewedAction,
  type ReviewedUser,
  type ReviewLimits,
} from "@kindling/service";
import { ProblemError } from "../errors/problem-error.ts";
import type { Authenticator, Decision, Right } from "./authenticator.ts";
import { tokenAudiences } from "./token-audiences.ts";

export interface KubernetesAuthenticatorOptions {
  readonly reviews: ClusterAccessReviews;
  /** A token must have one of these audiences, and may have no others. */
  readonly audiences: readonly string[];
  readonly clock: Clock;
  /** How long an answer of the API server is cached. */
  readonly cacheSeconds: number;
  readonly limits: ReviewLimits;
}

/** A user who may do this to pods in a namespace may do the same to its applications. */
const ACTIONS: Readonly<Record<Right, Omit<ReviewedAction, "namespace">>> = {
  submit: { verb: "create", resource: "pods" },
  view: { verb: "get", resource: "pods" },
  log: { verb: "get", resource: "pods", subresource: "log" },
  kill: { verb: "delete", resource: "pods" },
};

// A wrong token may become valid later (because of a slow clock), and repeated wrong tokens must not make the API server
// busy.
const REFUSAL_SECONDS = 5;
const MAX_TOKEN_BYTES = 16 * 1024;
const MOST_KEPT = 10_000;

/** Users of the cluster may do here what they may do there. There are no other identities. */
export function kubernetesAuthenticator(options: KubernetesAuthenticatorOptions): Authenticator {
  const { reviews, clock, cacheSeconds, limits } = options;
  const [audience, ...others] = options.audiences;
  if (audience === undefined) throw new Error("without an audience the API server would take its own");
  const users = expiringCache<ReviewedUser | undefined>(clock, MOST_KEPT);
  const decisions = expiringCache<Decision>(clock, MOST_KEPT);
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

  async function decide(user: ReviewedUser, action: ReviewedAction): Promise<Decision> {
    try {
      const { allowed, reason } = await reviews.reviewAccess(user, action);
      if (allowed) return { allowed };
      const { verb, resource, subresource, namespace = "" } = action;
      const what = subresource === undefined ? resource : `${resource}/${subresource}`;
      const why = reason === "" ? "" : `: ${reason}`;
      return {
        allowed,
        reason: `${user.username} may not ${verb} ${what} in namespace ${namespace}${why}`,
        hint: `let an administrator grant it: ${grantCommand("submitter", namespace, user.username)}`,
      };
    } catch (cause) {
      throw cannotAsk("your rights", cause);
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
      if (user === undefined) return undefined;
      return {
        subject: user.username,
        may(right, namespace) {
          const action = { ...ACTIONS[right], namespace };
          const lifetime = ({ allowed }: Decision): number => (allowed ? cacheSeconds : REFUSAL_SECONDS);
          return decisions.get(JSON.stringify([user, action]), lifetime, () => decide(user, action));
        },
      };
    },
  };
}

function cannotAsk(what: string, cause: unknown): unknown {
  if (cause instanceof ProblemError) return cause;
  return new ProblemError("unavailable", `the API server cannot be asked about ${what} at present`, { cause });
}
