import type { Decide } from "../../auth/authorizer.ts";
import type { Rbac } from "../../auth/rbac.ts";
import type { User } from "../../auth/user.ts";
import { isObject, type JsonObject } from "../../json.ts";
import { respondJson } from "../routes/respond.ts";
import type { Attributes, ReviewHandler } from "../routes/service.ts";
import { decode } from "../schema/decode.ts";
import { type Schema, structOf } from "../schema/types.ts";
import { badRequest, invalid } from "../status/errors.ts";
import { type FieldError, forbiddenField, invalidValue } from "../validation/field-error.ts";
import { readReview } from "./read-review.ts";

const API_VERSION = "authorization.k8s.io/v1";

/** POST of a SubjectAccessReview, a LocalSubjectAccessReview or a SelfSubjectAccessReview: may this user do that? */
export function accessReview(
  schema: Schema,
  decide: Decide,
  kind: "SubjectAccessReview" | "LocalSubjectAccessReview" | "SelfSubjectAccessReview",
): ReviewHandler {
  const type = structOf(schema, kind);
  return async (_service, exchange, target) => {
    const review = await readReview(exchange, type, API_VERSION);
    const spec = review["spec"] as JsonObject;
    checkSpec(kind, spec);
    if (kind === "LocalSubjectAccessReview") checkNamespace(spec, target.namespace ?? "");
    const user = kind === "SelfSubjectAccessReview" ? exchange.user : subjectOf(spec);
    const { allowed, reason } = decide(user, attributesOf(spec));
    const status = { allowed, ...(reason === "" ? {} : { reason }) };
    respondJson(exchange, 201, decode(type, { ...review, status }, { defaults: false }));
  };
}

/** POST of a SelfSubjectRulesReview: what may I do here? */
export function rulesReview(schema: Schema, rbac: Rbac): ReviewHandler {
  const type = structOf(schema, "SelfSubjectRulesReview");
  return async (_service, exchange) => {
    const review = await readReview(exchange, type, API_VERSION);
    const namespace = (review["spec"] as { namespace?: string }).namespace ?? "";
    if (namespace === "") throw badRequest("no namespace on request");
    const rules = rbac.rulesOf(exchange.user, namespace);
    const status = {
      resourceRules: rules
        .filter(({ resources }) => resources !== undefined)
        .map(({ verbs, apiGroups = [], resources = [], resourceNames }) => ({
          verbs,
          apiGroups,
          resources,
          ...(resourceNames === undefined ? {} : { resourceNames }),
        })),
      nonResourceRules: rules
        .filter(({ nonResourceURLs }) => nonResourceURLs !== undefined)
        .map(({ verbs, nonResourceURLs = [] }) => ({ verbs, nonResourceURLs })),
      incomplete: false,
    };
    respondJson(exchange, 201, decode(type, { ...review, status }, { defaults: false }));
  };
}

function checkSpec(kind: string, spec: JsonObject): void {
  const { resourceAttributes, nonResourceAttributes } = spec;
  const errors: FieldError[] = [];
  if (resourceAttributes !== undefined && nonResourceAttributes !== undefined) {
    const why = "cannot be specified in combination with resourceAttributes";
    errors.push(invalidValue("spec.nonResourceAttributes", nonResourceAttributes, why));
  }
  if (resourceAttributes === undefined && nonResourceAttributes === undefined) {
    const why = "exactly one of nonResourceAttributes or resourceAttributes must be specified";
    errors.push(invalidValue("spec.resourceAttributes", null, why));
  }
  const named = typeof spec["user"] === "string" && spec["user"] !== "";
  const grouped = Array.isArray(spec["groups"]) && spec["groups"].length > 0;
  if (kind !== "SelfSubjectAccessReview" && !named && !grouped) {
    errors.push(invalidValue("spec.user", "", "at least one of user or group must be specified"));
  }
  // The server leaves out the kind here.
  if (errors.length > 0) throw invalid("authorization.k8s.io", "", "", errors);
}

function checkNamespace(spec: JsonObject, namespace: string): void {
  const attributes = isObject(spec["resourceAttributes"]) ? spec["resourceAttributes"] : {};
  const given = attributes["namespace"] ?? "";
  if (given === namespace) return;
  const error = forbiddenField("spec.resourceAttributes.namespace", `must match metadata.namespace: ${namespace}`);
  throw invalid("authorization.k8s.io", "LocalSubjectAccessReview", "", [error]);
}

function subjectOf(spec: JsonObject): User {
  const groups = Array.isArray(spec["groups"]) ? spec["groups"].map(String) : [];
  return { name: textOf(spec["user"]), groups };
}

function attributesOf(spec: JsonObject): Attributes {
  const path = spec["nonResourceAttributes"];
  if (isObject(path)) return { kind: "path", verb: textOf(path["verb"]), path: textOf(path["path"]) };
  const resource = isObject(spec["resourceAttributes"]) ? spec["resourceAttributes"] : {};
  return {
    kind: "resource",
    verb: textOf(resource["verb"]),
    group: textOf(resource["group"]),
    version: textOf(resource["version"]) || "*",
    resource: textOf(resource["resource"]),
    subresource: textOf(resource["subresource"]),
    namespace: textOf(resource["namespace"]),
    name: textOf(resource["name"]),
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
