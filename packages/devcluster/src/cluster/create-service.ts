import { authenticator } from "../auth/authenticator.ts";
import { type Decide, allowAuthenticated, authorizer } from "../auth/authorizer.ts";
import { impersonated } from "../auth/impersonation.ts";
import { Rbac } from "../auth/rbac.ts";
import { ServiceAccountTokens } from "../auth/service-account-tokens.ts";
import { TokenSigner } from "../auth/token-signer.ts";
import type { ApiFaults } from "../faults/api-faults.ts";
import type { CustomResourceDefinition } from "../objects/custom-resource-definition.ts";
import type { Workload } from "../objects/apps.ts";
import type { PodLogs } from "../runtime/logs.ts";
import type { Api } from "./api.ts";
import type { ApiServer } from "./api-server.ts";
import { OpenApiDocuments } from "./openapi/open-api-documents.ts";
import { accessReview, rulesReview } from "./reviews/access-reviews.ts";
import { selfSubjectReview, tokenReview } from "./reviews/token-reviews.ts";
import { nonResourceRoutes } from "./routes/non-resource.ts";
import type { ReviewHandler, Service, SubresourceHandler } from "./routes/service.ts";
import type { Schema } from "./schema/types.ts";
import { bindingReview, namespaceFinalize, podBinding } from "./subresources/bind.ts";
import { podEviction } from "./subresources/eviction.ts";
import { podLog } from "./subresources/pod-log.ts";
import { type ScalePaths, scale } from "./subresources/scale.ts";
import { selectorText } from "./subresources/selector-text.ts";
import { tokenRequest } from "./subresources/token.ts";
import { ISSUER } from "../auth/service-account-tokens.ts";

export interface ServiceOptions {
  readonly api: Api;
  readonly schema: Schema;
  readonly server: ApiServer;
  readonly faults: ApiFaults;
  readonly logs: PodLogs;
  readonly adminToken: string;
  readonly anonymous: "nobody" | "admin";
  readonly authorization: "none" | "rbac";
  /** Host and port that the server is reached at. */
  readonly address: () => string;
}

/** The service, with the ways to serve more of it later and to issue tokens. */
export interface CreatedService {
  readonly service: Service;
  readonly tokens: ServiceAccountTokens;
  /** Serves the scale of a custom resource. */
  readonly serveScale: (definition: CustomResourceDefinition) => void;
}

/** Puts together what the routes need. */
export function createService(options: ServiceOptions): CreatedService {
  const { api, schema, server, faults } = options;
  const signer = new TokenSigner();
  const tokens = new ServiceAccountTokens(api, signer);
  const rbac = new Rbac(api);
  const decide: Decide =
    options.authorization === "rbac" ? (user, attributes) => rbac.decide(user, attributes) : allowAuthenticated;
  const subresources = subresourceHandlers(schema, tokens, options.logs);
  const authenticate = authenticator({ tokens, adminToken: options.adminToken, anonymous: options.anonymous });
  const authorize = authorizer(decide);
  const service: Service = {
    api,
    schema,
    faults,
    authenticate: (exchange) => impersonated(exchange.request, authenticate(exchange), authorize),
    authorize,
    subresources,
    reviews: reviewHandlers(schema, tokens, options.adminToken, rbac, decide),
    nonResource: nonResourceRoutes({
      types: api.types,
      openApi: new OpenApiDocuments(schema, api.types),
      address: options.address,
      keySet: () => signer.keySet(),
      issuer: ISSUER,
    }),
    resetConnection: (remotePort) => server.resetConnection(remotePort),
    onShutdown: server.onShutdown,
  };
  return { service, tokens, serveScale: (definition) => serveScale(schema, subresources, definition) };
}

function reviewHandlers(
  schema: Schema,
  tokens: ServiceAccountTokens,
  adminToken: string,
  rbac: Rbac,
  decide: Decide,
): Map<string, ReviewHandler> {
  return new Map([
    ["bindings.", bindingReview(schema)],
    ["tokenreviews.authentication.k8s.io", tokenReview(schema, tokens, adminToken)],
    ["selfsubjectreviews.authentication.k8s.io", selfSubjectReview(schema)],
    ["subjectaccessreviews.authorization.k8s.io", accessReview(schema, decide, "SubjectAccessReview")],
    ["localsubjectaccessreviews.authorization.k8s.io", accessReview(schema, decide, "LocalSubjectAccessReview")],
    ["selfsubjectaccessreviews.authorization.k8s.io", accessReview(schema, decide, "SelfSubjectAccessReview")],
    ["selfsubjectrulesreviews.authorization.k8s.io", rulesReview(schema, rbac)],
  ]);
}

function subresourceHandlers(
  schema: Schema,
  tokens: ServiceAccountTokens,
  logs: PodLogs,
): Map<string, SubresourceHandler> {
  const workloadScale = scale(schema, {
    specReplicas: ["spec", "replicas"],
    statusReplicas: ["status", "replicas"],
    selector: (object) => selectorText((object as Workload).spec.selector ?? {}),
  });
  return new Map<string, SubresourceHandler>([
    ["pods./log", podLog(logs)],
    ["pods./binding", podBinding(schema)],
    ["pods./eviction", podEviction(schema)],
    ["namespaces./finalize", namespaceFinalize],
    ["serviceaccounts./token", tokenRequest(schema, tokens)],
    ["deployments.apps/scale", workloadScale],
    ["replicasets.apps/scale", workloadScale],
    ["statefulsets.apps/scale", workloadScale],
  ]);
}

function serveScale(
  schema: Schema,
  subresources: Map<string, SubresourceHandler>,
  { spec }: CustomResourceDefinition,
): void {
  const key = `${spec.names.plural}.${spec.group}/scale`;
  const paths = spec.versions.find(({ subresources: own }) => own?.scale !== undefined)?.subresources?.scale;
  if (paths === undefined) {
    subresources.delete(key);
    return;
  }
  const parts = (path: string): string[] => path.split(".").filter((part) => part !== "");
  const selectorPath = parts(paths.labelSelectorPath ?? "");
  const scalePaths: ScalePaths = {
    specReplicas: parts(paths.specReplicasPath),
    statusReplicas: parts(paths.statusReplicasPath),
    selector: (object) => {
      let value: unknown = selectorPath.length === 0 ? "" : object;
      for (const part of selectorPath) value = (value as Record<string, unknown> | undefined)?.[part];
      return typeof value === "string" ? value : "";
    },
  };
  subresources.set(key, scale(schema, scalePaths));
}
