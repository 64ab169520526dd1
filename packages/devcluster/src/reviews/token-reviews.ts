import { formatTime, isObject, type JsonObject } from "@kindling/kube-objects";
import { badRequest, type Review, type Schema, type User } from "@kindling/api-server";
import { equalTokens } from "../auth/authenticator.ts";
import { ADMIN } from "../auth/cluster-users.ts";
import { ISSUER, type ServiceAccountTokens } from "../auth/service-account-tokens.ts";
import { review } from "./review.ts";

const GROUP = "authentication.k8s.io";
const NOT_OURS = "invalid bearer token";

/** POST of a TokenReview: whose token is this? The administrator's token is valid only for the API server. */
export function tokenReview(schema: Schema, tokens: ServiceAccountTokens, adminToken: string): Review {
  return review(schema, GROUP, "TokenReview", (sent) => {
    const { token = "", audiences: asked } = isObject(sent["spec"]) ? sent["spec"] : {};
    if (typeof token !== "string" || token === "") {
      throw badRequest("token is required for TokenReview in authentication");
    }
    const audiences = Array.isArray(asked) && asked.length > 0 ? asked.map(String) : [ISSUER];
    const holder =
      equalTokens(token, adminToken) && audiences.includes(ISSUER)
        ? { user: ADMIN, audiences: [ISSUER] }
        : tokens.check(token, audiences);
    if (typeof holder === "string") {
      return { status: { user: {}, error: holder === NOT_OURS ? holder : `[${NOT_OURS}, ${holder}]` } };
    }
    return { status: { authenticated: true, user: userInfo(holder.user), audiences: [...holder.audiences] } };
  });
}

/** POST of a SelfSubjectReview: who am I? */
export function selfSubjectReview(schema: Schema): Review {
  return review(schema, GROUP, "SelfSubjectReview", (_sent, { user }, { api }) => ({
    metadata: { creationTimestamp: formatTime(api.clock.now()) },
    status: { userInfo: userInfo(user) },
  }));
}

function userInfo(user: User): JsonObject {
  return {
    username: user.name,
    uid: user.uid ?? "",
    groups: [...user.groups],
    ...(user.extra === undefined
      ? {}
      : { extra: Object.fromEntries(Object.entries(user.extra).map(([key, values]) => [key, [...values]])) }),
  };
}
