import { type JsonObject, isObject, type KubeObject } from "@kindling/kube-objects";
import { type WriteContext } from "./api.ts";
import { type Applied, applyConfiguration } from "../managed-fields/apply.ts";
import { type WriteScope, trackUpdate } from "../managed-fields/field-manager.ts";
import type { ResourceType } from "../resources/resource-type.ts";
import { badRequest } from "../status/errors.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import type { Change } from "./update.ts";

/** A server-side apply. */
export interface ApplyPatch {
  readonly config: JsonObject;
  readonly force: boolean;
  readonly time: string;
}

/** Makes an object from applied content: fills in defaults, and reports unknown fields. */
export type Decode = (document: JsonObject) => KubeObject;

/** The object that an apply creates if there is none. */
export function appliedNew(type: ResourceType, patch: ApplyPatch, context: WriteContext, decode: Decode): Change {
  return finish(applyTo(type, patch, context, { ...type.empty, ...identity(type) }, []), decode);
}

/**
 * The result of an apply to the current object.
 *
 * @throws ApiError 409 for conflicts with other managers.
 */
export function appliedOver(
  type: ResourceType,
  patch: ApplyPatch,
  current: StoredObject,
  context: WriteContext,
  decode: Decode,
): Change {
  const managed = current.managed.length > 0 ? current.managed : beforeFirstApply(type, current, patch);
  return finish(applyTo(type, patch, context, current.object, managed), decode);
}

function applyTo(
  type: ResourceType,
  patch: ApplyPatch,
  context: WriteContext,
  live: JsonObject,
  managed: StoredObject["managed"],
): Applied {
  const metadata = patch.config["metadata"];
  if (isObject(metadata) && metadata["managedFields"] !== undefined)
    throw badRequest("metadata.managedFields must be nil");
  return applyConfiguration(scopeOf(type, context), {
    live,
    config: patch.config,
    managed,
    writer: {
      manager: context.manager,
      apiVersion: type.apiVersion,
      subresource: context.subresource === "" ? undefined : context.subresource,
      time: patch.time,
    },
    force: patch.force,
  });
}

function scopeOf(type: ResourceType, context: WriteContext): WriteScope {
  return { type: type.type, ignored: type.resetFields(context.subresource) };
}

function identity(type: ResourceType): JsonObject {
  return { kind: type.kind, apiVersion: type.apiVersion };
}

function finish({ object, managed }: Applied, decode: Decode): Change {
  return { object: decode(object), managed: { entries: managed, final: true } };
}

// An object without managed fields so far belongs to a manager of this name, so that the apply can conflict with it.
function beforeFirstApply(type: ResourceType, current: StoredObject, patch: ApplyPatch): StoredObject["managed"] {
  return trackUpdate({ type: type.type, ignored: undefined }, type.empty, current.object, [], {
    manager: "before-first-apply",
    apiVersion: type.apiVersion,
    subresource: undefined,
    time: patch.time,
  });
}
