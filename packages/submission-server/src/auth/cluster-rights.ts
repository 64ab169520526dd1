import { grantCommand } from "@kindling/diagnosis";
import type { Clock } from "@kindling/outside";
import { type ClusterAccessReviews, expiringCache, type ReviewedAction, type ReviewedUser } from "@kindling/service";
import { ProblemError } from "../errors/problem-error.ts";
import type { Decision, Identity, Right } from "./authenticator.ts";

export interface ClusterRightsOptions {
  readonly reviews: ClusterAccessReviews;
  readonly clock: Clock;
  /** How long an answer of the API server is cached. */
  readonly cacheSeconds: number;
}

/** A user who may do this to pods in a namespace may do the same to its applications. */
const ACTIONS: Readonly<Record<Right, Omit<ReviewedAction, "namespace">>> = {
  submit: { verb: "create", resource: "pods" },
  view: { verb: "get", resource: "pods" },
  log: { verb: "get", resource: "pods", subresource: "log" },
  kill: { verb: "delete", resource: "pods" },
};

// A right may be granted soon, and repeated questions must not make the API server busy.
export const REFUSAL_SECONDS = 5;
export const MOST_KEPT = 10_000;

/** Users of the cluster may do here what they may do there, however it is known who they are. */
export function clusterRights({
  reviews,
  clock,
  cacheSeconds,
}: ClusterRightsOptions): (user: ReviewedUser) => Identity {
  const decisions = expiringCache<Decision>(clock, MOST_KEPT);

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

  return (user) => ({
    subject: user.username,
    groups: user.groups,
    may(right, namespace) {
      const action = { ...ACTIONS[right], namespace };
      const lifetime = ({ allowed }: Decision): number => (allowed ? cacheSeconds : REFUSAL_SECONDS);
      return decisions.get(JSON.stringify([user, action]), lifetime, () => decide(user, action));
    },
  });
}

/** The error for a question that the API server could not be asked. */
export function cannotAsk(what: string, cause: unknown): unknown {
  if (cause instanceof ProblemError) return cause;
  return new ProblemError("unavailable", `the API server cannot be asked about ${what} at present`, { cause });
}
