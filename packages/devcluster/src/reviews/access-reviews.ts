import { isObject, type JsonObject } from "@kindling/kube-objects";
import type { Attributes, Review, Schema, User } from "@kindling/api-server";
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
    const user = kind === "SelfSubjectAccessReview" ? exchange.user : subjectOf(spec);
    return { status: { allowed: decide(user, attributesOf(spec)) } };
  });
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
