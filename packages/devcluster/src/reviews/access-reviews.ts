import {
  type Attributes,
  type FieldError,
  invalid,
  invalidValue,
  isObject,
  type JsonObject,
  type Review,
  type Schema,
  type User,
} from "@kindling/api-server";
import type { Decide } from "../auth/authorizer.ts";
import { review } from "./review.ts";

const GROUP = "authorization.k8s.io";

/** POST of a SubjectAccessReview or a SelfSubjectAccessReview: may this user do that? */
export function accessReview(
  schema: Schema,
  decide: Decide,
  kind: "SubjectAccessReview" | "SelfSubjectAccessReview",
): Review {
  return review(schema, GROUP, kind, (sent, exchange) => {
    const spec = isObject(sent["spec"]) ? sent["spec"] : {};
    checkSpec(kind, spec);
    const user = kind === "SelfSubjectAccessReview" ? exchange.user : subjectOf(spec);
    const { allowed, reason } = decide(user, attributesOf(spec));
    return { status: { allowed, ...(reason === "" ? {} : { reason }) } };
  });
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
  if (errors.length > 0) throw invalid(GROUP, "", "", errors);
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
