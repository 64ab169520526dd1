import { ApiError, type Attributes, forbidden, UNAUTHENTICATED, type User } from "@kindling/api-server";

/** Whether a user may do something: every known user may do everything, or roles decide. */
export type Decide = (user: User, attributes: Attributes) => boolean;

/** Allows everything to everyone with credentials. */
export const allowAuthenticated: Decide = (user) => !user.groups.includes(UNAUTHENTICATED);

/** Turns decisions into answers. */
export function authorizer(decide: Decide): (user: User, attributes: Attributes) => void {
  return (user, attributes) => {
    if (isPublic(attributes) || decide(user, attributes)) return;
    throw refusal(user, attributes);
  };
}

const PUBLIC = new Set(["/healthz", "/livez", "/readyz", "/version", "/version/"]);

// Everyone may check whether the server runs.
function isPublic(attributes: Attributes): boolean {
  return attributes.kind === "path" && PUBLIC.has(attributes.path);
}

/** 403 in the words of the API server. */
export function refusal(user: User, attributes: Attributes): ApiError {
  const who = `User ${JSON.stringify(user.name)} cannot ${attributes.verb}`;
  if (attributes.kind === "path") {
    const message = `forbidden: ${who} path ${JSON.stringify(attributes.path)}`;
    return new ApiError(403, "Forbidden", message, {});
  }
  const { group, resource, subresource, namespace, name } = attributes;
  const what = subresource === "" ? resource : `${resource}/${subresource}`;
  const where = namespace === "" ? "at the cluster scope" : `in the namespace ${JSON.stringify(namespace)}`;
  const why = `${who} resource ${JSON.stringify(what)} in API group ${JSON.stringify(group)} ${where}`;
  return forbidden({ group, resource }, name, why);
}
