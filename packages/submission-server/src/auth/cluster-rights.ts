import { grantCommand } from "@kindling/diagnosis";
import {
  CREDENTIAL_ID,
  keptAccess,
  type KeptAccessOptions,
  type ReviewedAction,
  type ReviewedUser,
} from "@kindling/service";
import { ProblemError } from "../errors/problem-error.ts";
import type { Decision, Identity, Right } from "./authenticator.ts";

/** A user who may do this to pods in a namespace may do the same to its applications. */
const ACTIONS: Readonly<Record<Right, Omit<ReviewedAction, "namespace">>> = {
  submit: { verb: "create", resource: "pods" },
  view: { verb: "get", resource: "pods" },
  log: { verb: "get", resource: "pods", subresource: "log" },
  kill: { verb: "delete", resource: "pods" },
};

/** Users of the cluster may do here what they may do there, however it is known who they are. */
export function clusterRights(options: KeptAccessOptions): (user: ReviewedUser) => Identity {
  const ask = keptAccess(options);

  async function decide(user: ReviewedUser, action: ReviewedAction): Promise<Decision> {
    try {
      const { allowed, reason } = await ask(user, action);
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
    credentialID: user.extra[CREDENTIAL_ID]?.[0],
    may: (right, namespace) => decide(user, { ...ACTIONS[right], namespace }),
  });
}

/** The error for a question that the API server could not be asked. */
export function cannotAsk(what: string, cause: unknown): unknown {
  if (cause instanceof ProblemError) return cause;
  return new ProblemError("unavailable", `the API server cannot be asked about ${what} at present`, { cause });
}
