import { type WriteContext, collectionOf } from "../operations/api.ts";
import { takeManagedFields } from "../managed-fields/client-managed-fields.ts";
import { createObject } from "../operations/create.ts";
import { deleteObject } from "../operations/delete.ts";
import { listObjects } from "../operations/list.ts";
import { updateObject } from "../operations/update.ts";
import type { ResourceType } from "../resources/resource-type.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import type { Exchange } from "./exchange.ts";
import { presentationOf, respondPage, selectionOf } from "./handle-read.ts";
import { type ObjectForm, negotiate } from "./negotiate.ts";
import { deleteOptions } from "./delete-options.ts";
import { integer, writeOptions } from "./options.ts";
import { presentObject } from "./present.ts";
import { readObject } from "./read-body.ts";
import type { ResourceTarget } from "./request-target.ts";
import { respondJson, respondText } from "./respond.ts";
import type { Service } from "./service.ts";

/** POST to a collection. */
export async function handleCreate(
  service: Service,
  exchange: Exchange,
  type: ResourceType,
  target: ResourceTarget,
): Promise<void> {
  const form = negotiate(exchange.accept);
  const { dryRun } = writeOptions(exchange, "CreateOptions");
  const object = await readObject(exchange, type, service.api.types);
  takeManagedFields(object);
  const context = contextOf(exchange, target, dryRun);
  const stored = createObject(service.api, type, target.namespace, { object }, context);
  respondStored(service, exchange, type, form, 201, stored);
}

/** PUT of an object or of its status. */
export async function handleUpdate(
  service: Service,
  exchange: Exchange,
  type: ResourceType,
  target: ResourceTarget,
): Promise<void> {
  const form = negotiate(exchange.accept);
  const { dryRun } = writeOptions(exchange, "UpdateOptions");
  const object = await readObject(exchange, type, service.api.types);
  const context = contextOf(exchange, target, dryRun);
  const sent = takeManagedFields(object);
  const entries = target.subresource === "" ? sent : undefined;
  const mayCreate = type.rules.createOnUpdate && target.subresource === "";
  const { stored, created } = updateObject(
    service.api,
    type,
    { namespace: target.namespace, name: target.name ?? "" },
    () => ({ object, ...(entries === undefined ? {} : { managed: { entries, final: false } }) }),
    context,
    mayCreate ? () => ({ object }) : undefined,
  );
  respondStored(service, exchange, type, form, created ? 201 : 200, stored);
}

/** DELETE of one object. */
export async function handleDelete(
  service: Service,
  exchange: Exchange,
  type: ResourceType,
  target: ResourceTarget,
): Promise<void> {
  const form = negotiate(exchange.accept);
  const { dryRun, ...options } = await deleteOptions(exchange);
  const name = target.name ?? "";
  const place = { namespace: target.namespace, name };
  const { stored, gone } = deleteObject(service.api, type, place, options, contextOf(exchange, target, dryRun));
  if (!gone || type.rules.returnsDeleted) {
    respondStored(service, exchange, type, form, 200, stored);
    return;
  }
  const { group, plural } = type;
  const details = { name, ...(group === "" ? {} : { group }), kind: plural, uid: stored.object.metadata.uid };
  respondJson(exchange, 200, { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", details });
}

/** DELETE of a collection: of the objects that the selectors match. */
export async function handleDeleteCollection(
  service: Service,
  exchange: Exchange,
  type: ResourceType,
  target: ResourceTarget,
): Promise<void> {
  const form = negotiate(exchange.accept);
  const { dryRun, ...options } = await deleteOptions(exchange);
  const selection = selectionOf(service.api, exchange, type, target);
  const listed = {
    limit: integer(exchange.query, "limit") ?? 0,
    continue: "",
    resourceVersion: "",
    resourceVersionMatch: "",
  };
  const page = listObjects(service.api, type, selection, listed);
  const context = contextOf(exchange, target, dryRun);
  const items: StoredObject[] = [];
  for (const { object } of page.items) {
    const place = { namespace: object.metadata.namespace, name: object.metadata.name };
    if (collectionOf(service.api, type).get(place.namespace, place.name) === undefined) continue;
    items.push(deleteObject(service.api, type, place, options, context).stored);
  }
  const presentation = presentationOf(service, exchange, type, form);
  await respondPage(exchange, presentation, { ...page, items, revision: service.api.store.revision });
}

/** Answers with an object. */
export function respondStored(
  service: Service,
  exchange: Exchange,
  type: ResourceType,
  form: ObjectForm,
  code: number,
  stored: StoredObject,
): void {
  respondText(exchange, code, presentObject(presentationOf(service, exchange, type, form), stored));
}

/** Who writes, by this request. */
export function contextOf(exchange: Exchange, target: ResourceTarget, dryRun: boolean): WriteContext {
  return { user: exchange.user, manager: exchange.fieldManager, dryRun, subresource: target.subresource };
}
