import type { ServiceAccountTokens } from "../../auth/service-account-tokens.ts";
import { ISSUER } from "../../auth/service-account-tokens.ts";
import { equalTokens } from "../../auth/authenticator.ts";
import { ADMIN, type User } from "../../auth/user.ts";
import type { JsonObject } from "../../json.ts";
import { decode } from "../schema/decode.ts";
import { type Schema, structOf } from "../schema/types.ts";
import { badRequest } from "../status/errors.ts";
import { respondJson } from "../routes/respond.ts";
import type { ReviewHandler } from "../routes/service.ts";
import { readReview } from "./read-review.ts";

const NOT_OURS = "invalid bearer token";

/** POST of a TokenReview: whose is this token? The administrator's is good for the API server alone. */
export function tokenReview(schema: Schema, tokens: ServiceAccountTokens, adminToken: string): ReviewHandler {
  const type = structOf(schema, "TokenReview");
  return async (_service, exchange) => {
    const review = await readReview(exchange, type, "authentication.k8s.io/v1");
    const spec = review["spec"] as { token?: string; audiences?: string[] };
    const token = spec.token ?? "";
    if (token === "") {
      throw badRequest("token is required for TokenReview in authentication");
    }
    const audiences = spec.audiences === undefined || spec.audiences.length === 0 ? [ISSUER] : spec.audiences;
    const holder =
      equalTokens(token, adminToken) && audiences.includes(ISSUER)
        ? { user: ADMIN, audiences: [ISSUER] }
        : tokens.check(token, audiences);
    const status: JsonObject =
      typeof holder === "string"
        ? { user: {}, error: holder === NOT_OURS ? holder : `[${NOT_OURS}, ${holder}]` }
        : { authenticated: true, user: userInfo(holder.user), audiences: [...holder.audiences] };
    respondJson(exchange, 201, decode(type, { ...review, status }, { defaults: false }));
  };
}

/** POST of a SelfSubjectReview: who am I? */
export function selfSubjectReview(schema: Schema): ReviewHandler {
  const type = structOf(schema, "SelfSubjectReview");
  return async (service, exchange) => {
    const review = await readReview(exchange, type, "authentication.k8s.io/v1");
    const metadata = { creationTimestamp: new Date(service.api.clock.now()).toISOString() };
    const status = { userInfo: userInfo(exchange.user) };
    respondJson(exchange, 201, decode(type, { ...review, metadata, status }, { defaults: false }));
  };
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
