import { type KubeObject, formatTime } from "@kindling/kube-objects";
import { type Api, type WriteContext, collectionOf, editable, findObject, resourceName } from "./api.ts";
import type { ResourceType } from "../resources/resource-type.ts";
import { conflict, notFound } from "../status/errors.ts";
import type { StoredObject } from "../storage/stored-object.ts";

export const FOREGROUND = "foregroundDeletion";
export const ORPHAN = "orphan";

export interface DeleteOptions {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: "Background" | "Foreground" | "Orphan";
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

/** Outcome of a deletion: the last state, and whether the object is gone already. */
export interface Deleted {
  readonly stored: StoredObject;
  readonly gone: boolean;
}

/**
 * Deletes an object, or marks it for deletion if it is given time to end or finalizers hold it.
 *
 * @throws ApiError 404, or 409 if a precondition does not hold.
 */
export function deleteObject(
  api: Api,
  type: ResourceType,
  target: { readonly namespace: string | undefined; readonly name: string },
  options: DeleteOptions,
  context: WriteContext,
): Deleted {
  const { namespace, name } = target;
  const collection = collectionOf(api, type);
  const current = findObject(api, type, namespace, name);
  if (current === undefined) throw notFound(resourceName(type), name);
  checkPreconditions(type, current.object, options);
  const request = {
    operation: "delete" as const,
    type,
    namespace,
    name,
    object: undefined,
    current: current.object,
    subresource: context.subresource,
    user: context.user,
    dryRun: context.dryRun,
  };
  for (const plugin of api.admission) plugin.admit?.(request);
  for (const plugin of api.admission) plugin.validate?.(request);
  const asked = options.gracePeriodSeconds;
  const grace = type.rules.gracePeriod?.(current.object, asked === undefined ? undefined : Math.max(asked, 0)) ?? 0;
  const { metadata } = current.object;
  const finalizers = finalizersFor(metadata.finalizers ?? [], options);
  const already = metadata.deletionTimestamp !== undefined;
  const held = type.rules.heldDeletion?.(current.object);
  if (held !== undefined) {
    if (already || context.dryRun) return { stored: current, gone: false };
    const next = markDeleted(api, held, 0, finalizers);
    delete next.metadata.deletionGracePeriodSeconds;
    return { stored: collection.put(next, current.managed), gone: false };
  }
  if (already && grace > 0 && grace >= (metadata.deletionGracePeriodSeconds ?? 0))
    return { stored: current, gone: false };
  if (grace === 0 && finalizers.length === 0) {
    if (context.dryRun) return { stored: current, gone: true };
    // If objects have a grace period, their end is shown in a last change.
    const ends = type.rules.gracePeriod !== undefined && (metadata.deletionGracePeriodSeconds ?? -1) !== 0;
    if (ends) collection.put(markDeleted(api, current.object, 0, []), current.managed);
    return { stored: collection.remove(namespace, name) ?? current, gone: true };
  }
  const next = markDeleted(api, current.object, grace, finalizers);
  if (context.dryRun) return { stored: current, gone: false };
  return { stored: collection.put(next, current.managed), gone: false };
}

function checkPreconditions(type: ResourceType, { metadata }: KubeObject, { preconditions }: DeleteOptions): void {
  const { uid, resourceVersion } = preconditions ?? {};
  // The server names the kind here, not the resource.
  const named = { group: type.group, resource: type.kind };
  if (uid !== undefined && uid !== metadata.uid) {
    const why = `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`;
    throw conflict(named, metadata.name, why);
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    const why = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`;
    throw conflict(named, metadata.name, why);
  }
}

// The propagation policy is kept as a finalizer, which the garbage collector removes when it has finished.
function finalizersFor(current: readonly string[], { propagationPolicy }: DeleteOptions): string[] {
  if (propagationPolicy === undefined) return [...current];
  const others = current.filter((finalizer) => finalizer !== FOREGROUND && finalizer !== ORPHAN);
  if (propagationPolicy === "Foreground") return [...others, FOREGROUND];
  return propagationPolicy === "Orphan" ? [...others, ORPHAN] : others;
}

function markDeleted(api: Api, current: KubeObject, grace: number, finalizers: readonly string[]): KubeObject {
  const next = editable(current);
  const { metadata } = next;
  // At a repeated request, the remaining time counts from the first request.
  const { deletionTimestamp: end, deletionGracePeriodSeconds: given = 0 } = current.metadata;
  const asked = end === undefined ? api.clock.now() : Date.parse(end) - given * 1000;
  metadata.deletionTimestamp = formatTime(asked + grace * 1000);
  metadata.deletionGracePeriodSeconds = grace;
  if (finalizers.length > 0) metadata.finalizers = [...finalizers];
  else delete metadata.finalizers;
  if (metadata.generation !== undefined && current.metadata.deletionTimestamp === undefined) metadata.generation += 1;
  return next;
}
