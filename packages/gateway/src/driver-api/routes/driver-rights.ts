import { ApiError, type Attributes, type User } from "@kindling/api-server";
import { qualifiedResource } from "@kindling/kube-objects";
import { DRIVER_RESOURCES } from "../../views/driver-resources.ts";

/**
 * The requests that drivers make to Kubernetes (Spark, ExecutorPodsAllocator and others), which are the verbs of their
 * resources. They may do nothing else here.
 */
const RIGHTS: ReadonlyMap<string, readonly string[]> = new Map(
  DRIVER_RESOURCES.flatMap(({ storageKey, verbs, subresources }) => [
    [storageKey, verbs] as const,
    ...subresources.map((subresource) => [`${storageKey}/${subresource.name}`, subresource.verbs] as const),
  ]),
);

/** Paths that are not resources: discovery and version. */
const READABLE = /^\/(?:version|api|apis|api\/v1)\/?$/;

/**
 * Whether a driver may do something in its namespace. This does not check which objects: it finds only its own there.
 *
 * @throws ApiError 403 in the words of Kubernetes' RBAC
 */
export function authorizeDriver(user: User, namespace: string, attributes: Attributes): void {
  if (attributes.kind === "path") {
    if (attributes.verb === "get" && READABLE.test(attributes.path)) return;
    throw forbidden(user, `cannot ${attributes.verb} path ${JSON.stringify(attributes.path)}`);
  }
  const { verb, group, resource, subresource } = attributes;
  const inGroup = qualifiedResource({ group, resource });
  const rights = RIGHTS.get(subresource === "" ? inGroup : `${inGroup}/${subresource}`) ?? [];
  if (rights.includes(verb) && attributes.namespace === namespace) return;
  const what = subresource === "" ? resource : `${resource}/${subresource}`;
  const where =
    attributes.namespace === "" ? "at the cluster scope" : `in the namespace ${quoted(attributes.namespace)}`;
  throw forbidden(user, `cannot ${verb} resource ${quoted(what)} in API group ${quoted(group)} ${where}`);
}

function forbidden({ name }: User, what: string): ApiError {
  const message = `Forbidden: ${quoted(name)} ${what}: the gateway offers a driver the objects of its own application`;
  return new ApiError(403, "Forbidden", message);
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
