import type { Api, Review, Schema, ServiceOptions, SubresourceHandler } from "@kindling/api-server";
import { authenticator } from "../auth/authenticator.ts";
import { type Decide, allowAuthenticated, authorizer } from "../auth/authorizer.ts";
import { Rbac } from "../auth/rbac.ts";
import type { ServiceAccountTokens } from "../auth/service-account-tokens.ts";
import { accessReview } from "../reviews/access-reviews.ts";
import { selfSubjectReview, tokenReview } from "../reviews/token-reviews.ts";
import type { PodLogs } from "../runtime/logs.ts";
import { podEviction } from "../subresources/eviction.ts";
import { podResize } from "../subresources/resize.ts";
import { podLog } from "../subresources/pod-log.ts";
import { podPortForward } from "../subresources/pod-port-forward.ts";
import { workloadScale } from "../subresources/scale.ts";
import { serviceProxy } from "../subresources/service-proxy.ts";
import { tokenRequest } from "../subresources/token.ts";
import { VERSION } from "./version.ts";

export interface ClusterServiceOptions {
  readonly api: Api;
  readonly schema: Schema;
  readonly tokens: ServiceAccountTokens;
  readonly logs: PodLogs;
  readonly adminToken: string;
  readonly anonymous: "nobody" | "admin";
  readonly authorization: "none" | "rbac";
}

/** What a cluster's API server serves besides objects, and its authentication and authorization. */
export function clusterService(options: ClusterServiceOptions): ServiceOptions {
  const { api, tokens, adminToken, anonymous } = options;
  const rbac = new Rbac(api);
  const decide: Decide =
    options.authorization === "rbac" ? (user, attributes) => rbac.allows(user, attributes) : allowAuthenticated;
  return {
    api,
    authenticate: authenticator({ tokens, adminToken, anonymous }),
    authorize: authorizer(decide),
    subresources: subresourceHandlers(options),
    reviews: reviews(options, decide),
    documents: new Map([["/openid/v1/jwks", { mediaType: "application/jwk-set+json", json: tokens.keys }]]),
    version: VERSION,
  };
}

function reviews({ schema, tokens, adminToken }: ClusterServiceOptions, decide: Decide): Review[] {
  return [
    tokenReview(schema, tokens, adminToken),
    selfSubjectReview(schema),
    accessReview(schema, decide, "SubjectAccessReview"),
    accessReview(schema, decide, "SelfSubjectAccessReview"),
  ];
}

function subresourceHandlers({ schema, tokens, logs }: ClusterServiceOptions): Map<string, SubresourceHandler> {
  const scale = workloadScale(schema);
  return new Map<string, SubresourceHandler>([
    ["pods./log", podLog(logs)],
    ["pods./portforward", podPortForward],
    ["pods./eviction", podEviction(schema)],
    ["pods./resize", podResize],
    ["services./proxy", serviceProxy],
    ["serviceaccounts./token", tokenRequest(schema, tokens)],
    ["deployments.apps/scale", scale],
    ["replicasets.apps/scale", scale],
    ["statefulsets.apps/scale", scale],
  ]);
}
