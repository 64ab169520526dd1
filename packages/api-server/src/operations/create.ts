import { type KubeObject, formatTime } from "@kindling/kube-objects";
import { nameSuffix } from "./name-suffix.ts";
import { type Api, type WriteContext, collectionOf, resourceName } from "./api.ts";
import { createdFieldsText } from "../managed-fields/created-fields.ts";
import type { ResourceType } from "../resources/resource-type.ts";
import { alreadyExists, badRequest, invalid } from "../status/errors.ts";
import { ApiError } from "../status/status.ts";
import { type ManagedFields, StoredObject } from "../storage/stored-object.ts";
import { validateObjectMeta } from "./object-meta.ts";

const NAME_ATTEMPTS = 8;

/** A new decoded object, with the managed fields that an apply has already computed for it. */
export interface NewObject {
  readonly object: KubeObject;
  readonly managed?: readonly ManagedFields[];
}

/**
 * Creates an object: system fields, managed fields, admission, validation, storage. The object passed in is stored itself and
 * must not be used afterwards.
 *
 * @throws ApiError as the API server answers.
 */
export function createObject(
  api: Api,
  type: ResourceType,
  namespace: string | undefined,
  { object, managed }: NewObject,
  context: WriteContext,
): StoredObject {
  const { metadata } = object;
  checkNamespace(type, namespace, object);
  if (metadata.resourceVersion !== undefined && metadata.resourceVersion !== "") {
    throw new ApiError(500, undefined, "resourceVersion should not be set on objects to be created");
  }
  fillSystemFields(api, type, namespace, object);
  const owners = managed ?? trackCreate(api, type, object, context);
  const request = {
    operation: "create" as const,
    type,
    namespace,
    name: metadata.name,
    object,
    current: undefined,
    subresource: context.subresource,
    user: context.user,
    dryRun: context.dryRun,
  };
  for (const plugin of api.admission) plugin.admit?.(request);
  generateName(api, type, namespace, object);
  type.rules.prepareCreate?.(object, metadata.creationTimestamp);
  const errors = validateObjectMeta(type, metadata);
  errors.push(...(type.rules.validate?.(object) ?? []));
  if (errors.length > 0) throw invalid(type.group, type.kind, metadata.name ?? "", errors);
  const collection = collectionOf(api, type);
  if (collection.get(namespace, metadata.name) !== undefined) throw alreadyExists(resourceName(type), metadata.name);
  for (const plugin of api.admission) plugin.validate?.(request);
  return context.dryRun ? new StoredObject(object, owners, 0) : collection.put(object, owners);
}

function checkNamespace(type: ResourceType, namespace: string | undefined, object: KubeObject): void {
  const given = object.metadata.namespace ?? "";
  if (!type.namespaced) return;
  if (given !== "" && given !== namespace) {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
}

function fillSystemFields(api: Api, type: ResourceType, namespace: string | undefined, object: KubeObject): void {
  const { metadata } = object;
  if (type.namespaced && namespace !== undefined) metadata.namespace = namespace;
  metadata.uid = api.random.uuid();
  metadata.creationTimestamp = formatTime(api.clock.now());
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  if (type.rules.generation) metadata.generation = 1;
}

function generateName(api: Api, type: ResourceType, namespace: string | undefined, object: KubeObject): void {
  const { metadata } = object;
  const prefix = metadata.generateName ?? "";
  if (prefix === "" || (metadata.name !== undefined && metadata.name !== "")) return;
  const collection = collectionOf(api, type);
  for (let attempt = 0; attempt < NAME_ATTEMPTS; attempt += 1) {
    metadata.name = `${prefix.slice(0, 58)}${nameSuffix(api.random)}`;
    if (collection.get(namespace, metadata.name) === undefined) return;
  }
}

function trackCreate(
  api: Api,
  type: ResourceType,
  object: KubeObject,
  context: WriteContext,
): readonly ManagedFields[] {
  const ignored = type.resetFields(context.subresource);
  const isIgnored = (field: string): boolean => ignored?.members.has(`f:${field}`) === true;
  const fields = createdFieldsText(type.type, type.empty, object, isIgnored);
  if (fields === "{}") return [];
  const time = formatTime(api.clock.now());
  return [{ manager: context.manager, operation: "Update", apiVersion: type.apiVersion, time, fields }];
}
