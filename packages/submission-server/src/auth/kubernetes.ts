import { type ReviewedUser, tokenUsers, type TokenUsersOptions } from "@kindling/service";
import type { Authenticator, Identity } from "./authenticator.ts";
import { cannotAsk } from "./cluster-rights.ts";

export interface KubernetesAuthenticatorOptions extends TokenUsersOptions {
  readonly identityOf: (user: ReviewedUser) => Identity;
}

/** Tokens of the cluster: the API server says whose they are. */
export function kubernetesAuthenticator(options: KubernetesAuthenticatorOptions): Authenticator {
  const { audiences, identityOf } = options;
  const userOf = tokenUsers(options);
  const [audience = ""] = audiences;
  return {
    wanted:
      `Authorization: Bearer with a token of the cluster for the audience ${audience} and no other: ` +
      `kubectl create token NAME --audience ${audience}`,
    async authenticate({ bearer, client }) {
      if (bearer === undefined) return undefined;
      try {
        const user = await userOf(bearer, client);
        return user === undefined ? undefined : identityOf(user);
      } catch (cause) {
        throw cannotAsk("this token", cause);
      }
    },
  };
}
