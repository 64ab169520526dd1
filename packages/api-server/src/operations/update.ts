import { jsonEqual, type KubeObject, formatTime } from "@kindling/kube-objects";
import { type Api, type WriteContext, collectionOf, findObject, resourceName } from "./api.ts";
import { trackUpdate } from "../managed-fields/field-manager.ts";
import type { ResourceType } from "../resources/resource-type.ts";
import { badRequest, conflict, invalid, notFound, outdated } from "../status/errors.ts";
import { ApiError } from "../status/status.ts";
import { type ManagedFields, StoredObject } from "../storage/stored-object.ts";
import { invalidValue } from "../status/field-error.ts";
import { validateObjectMetaUpdate } from "./object-meta.ts";
import { type NewObject, createObject } from "./create.ts";

/** The result of an update. The object must be new, or share no changed part with the current one. */
export interface Change {
  readonly object: KubeObject;
  /** Managed fields that the client sent, or that an apply computed (`final`). */
  readonly managed?: { readonly entries: readonly ManagedFields[]; readonly final: boolean };
}

export interface UpdateTarget {
  readonly namespace: string | undefined;
  readonly name: string;
}

/** Outcome of an update: the object as stored, and whether it is new. */
export interface Updated {
  readonly stored: StoredObject;
  readonly created: boolean;
}

/**
 * Updates an object: `change` is called with the current object and returns the new one. If nothing has changed, nothing is
 * written, so the resourceVersion stays.
 *
 * @throws ApiError as the API server answers.
 */
export function updateObject(
  api: Api,
  type: ResourceType,
  target: UpdateTarget,
  change: (current: StoredObject) => Change,
  context: WriteContext,
  createInstead?: () => NewObject,
): Updated {
  const { namespace, name } = target;
  const current = findObject(api, type, namespace, name);
  if (current === undefined) {
    if (createInstead === undefined) throw notFound(resourceName(type), name);
    const made = createInstead();
    checkIdentity(type, target, made.object);
    return { stored: createObject(api, type, namespace, made, context), created: true };
  }
  const { object: next, managed } = change(current);
  checkIdentity(type, target, next);
  checkVersion(type, next, current.object);
  const owners = managed?.final === true ? managed.entries : track(api, type, next, current, managed?.entries, context);
  keepSystemFields(next, current.object);
  prepare(type, next, current.object, context.subresource);
  const request = {
    operation: "update" as const,
    type,
    namespace,
    name,
    object: next,
    current: current.object,
    subresource: context.subresource,
    user: context.user,
    dryRun: context.dryRun,
  };
  for (const plugin of api.admission) plugin.admit?.(request);
  validate(type, next, current.object, context.subresource);
  for (const plugin of api.admission) plugin.validate?.(request);
  return { stored: write(api, type, next, owners, current, context.dryRun), created: false };
}

function checkIdentity(type: ResourceType, target: UpdateTarget, next: KubeObject): void {
  const { metadata } = next;
  if (metadata.name === undefined || metadata.name === "") {
    throw badRequest(`the name of the object (${target.name} based on URL) was undeterminable: name must be provided`);
  }
  if (metadata.name !== target.name) {
    throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${target.name})`);
  }
  if (!type.namespaced) return;
  if (metadata.namespace === undefined || metadata.namespace === "") metadata.namespace = target.namespace ?? "";
  if (metadata.namespace === target.namespace) return;
  throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
}

function checkVersion(type: ResourceType, next: KubeObject, current: KubeObject): void {
  const asked = next.metadata.resourceVersion ?? "";
  const { name, namespace = "", uid, resourceVersion } = current.metadata;
  const given = next.metadata.uid ?? "";
  if (given !== "" && given !== uid) {
    const key = `/registry/${type.plural}/${namespace === "" ? "" : `${namespace}/`}${name}`;
    const failed = `Precondition failed: UID in precondition: ${given}, UID in object meta: ${uid}`;
    const why = `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${failed}`;
    throw conflict(resourceName(type), name, why);
  }
  if (asked === "" || asked === "0") {
    if (type.rules.unconditionalUpdate) return;
    const error = invalidValue("metadata.resourceVersion", 0, "must be specified for an update");
    // The server names the resource here, not the kind.
    throw invalid(type.group, type.plural, name, [error]);
  }
  if (!/^\d+$/.test(asked)) {
    throw new ApiError(500, undefined, `strconv.ParseUint: parsing ${JSON.stringify(asked)}: invalid syntax`);
  }
  if (asked !== resourceVersion) throw outdated(resourceName(type), name);
}

function track(
  api: Api,
  type: ResourceType,
  next: KubeObject,
  current: StoredObject,
  sent: readonly ManagedFields[] | undefined,
  context: WriteContext,
): readonly ManagedFields[] {
  const base = sent ?? current.managed;
  // Objects without managed fields stay so until the first apply.
  if (base.length === 0) return base;
  return trackUpdate({ type: type.type, ignored: type.resetFields(context.subresource) }, current.object, next, base, {
    manager: context.manager,
    apiVersion: type.apiVersion,
    subresource: context.subresource === "" ? undefined : context.subresource,
    time: formatTime(api.clock.now()),
  });
}

function keepSystemFields(next: KubeObject, current: KubeObject): void {
  const [meta, old] = [next.metadata, current.metadata];
  meta.resourceVersion = old.resourceVersion;
  if (meta.uid === undefined || meta.uid === "") meta.uid = old.uid;
  meta.creationTimestamp = old.creationTimestamp;
  // An update can neither begin nor end a deletion.
  for (const field of ["deletionTimestamp", "deletionGracePeriodSeconds", "generation"] as const) delete meta[field];
  if (old.generation !== undefined) meta.generation = old.generation;
  if (old.deletionTimestamp !== undefined) meta.deletionTimestamp = old.deletionTimestamp;
  if (old.deletionGracePeriodSeconds !== undefined) meta.deletionGracePeriodSeconds = old.deletionGracePeriodSeconds;
}

function prepare(type: ResourceType, next: KubeObject, current: KubeObject, subresource: string): void {
  const { rules } = type;
  if (subresource === "status") {
    keepAllButStatus(next, current);
    rules.prepareStatusUpdate?.({ next, current });
    return;
  }
  // Other subresources, such as a binding, were created by this server itself.
  if (subresource !== "" && subresource !== "scale") return;
  if (type.subresources.some(({ name }) => name === "status")) {
    if (current["status"] === undefined) delete next["status"];
    else next["status"] = current["status"];
  }
  rules.prepareUpdate?.({ next, current });
  if (rules.generation && !jsonEqual(withoutStatus(next), withoutStatus(current))) {
    next.metadata.generation = (current.metadata.generation ?? 0) + 1;
  }
}

function keepAllButStatus(next: KubeObject, current: KubeObject): void {
  for (const key of Object.keys(next)) {
    if (key !== "status" && key !== "metadata" && !(key in current)) delete next[key];
  }
  for (const [key, value] of Object.entries(current)) {
    if (key !== "status" && key !== "metadata") next[key] = value;
  }
  if (current.metadata.ownerReferences === undefined) delete next.metadata.ownerReferences;
  else next.metadata.ownerReferences = current.metadata.ownerReferences;
}

// What counts for the generation: everything except metadata and status.
function withoutStatus({ metadata: _metadata, status: _status, ...rest }: KubeObject): object {
  return rest;
}

function validate(type: ResourceType, next: KubeObject, current: KubeObject, subresource: string): void {
  const { rules } = type;
  const errors = validateObjectMetaUpdate(next, current);
  const update = { next, current };
  if (subresource === "status") errors.push(...(rules.validateStatusUpdate?.(update) ?? []));
  else if (subresource === "" || subresource === "scale") errors.push(...(rules.validateUpdate?.(update) ?? []));
  if (errors.length > 0) throw invalid(type.group, type.kind, next.metadata.name, errors);
}

function write(
  api: Api,
  type: ResourceType,
  next: KubeObject,
  owners: readonly ManagedFields[],
  current: StoredObject,
  dryRun: boolean,
): StoredObject {
  const { metadata } = next;
  if (jsonEqual(owners, current.managed) && jsonEqual(next, current.object)) return current;
  if (dryRun) return new StoredObject(next, owners, current.revision);
  const collection = collectionOf(api, type);
  const stored = collection.put(next, owners);
  // If an object waits only for its last finalizer and this is removed, the object is removed.
  const finished =
    metadata.deletionTimestamp !== undefined &&
    (metadata.finalizers ?? []).length === 0 &&
    type.rules.heldDeletion?.(next) === undefined &&
    (metadata.deletionGracePeriodSeconds ?? 0) === 0;
  return finished ? (collection.remove(metadata.namespace, metadata.name) ?? stored) : stored;
}
