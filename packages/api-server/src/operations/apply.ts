import { type JsonObject, isObject, jsonEqual } from "../../json.ts";
import type { KubeObject } from "../../objects/object.ts";
import { type WriteContext } from "../api.ts";
import { type Applied, applyConfiguration } from "../managed-fields/apply.ts";
import { compareObjects } from "../managed-fields/compare.ts";
import { type WriteScope, trackUpdate } from "../managed-fields/field-manager.ts";
import type { FieldSet } from "../managed-fields/field-set.ts";
import { toFieldSet } from "../managed-fields/to-field-set.ts";
import type { ResourceType } from "../resources/resource-type.ts";
import { badRequest } from "../status/errors.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import type { Change } from "./update.ts";

const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/** A server-side apply. */
export interface ApplyPatch {
  readonly config: JsonObject;
  readonly force: boolean;
  readonly time: string;
}

/** Makes an object of applied content: defaults filled in, unknown fields reported. */
export type Decode = (document: JsonObject) => KubeObject;

/** The object that an apply makes where there is none. */
export function appliedNew(type: ResourceType, patch: ApplyPatch, context: WriteContext, decode: Decode): Change {
  return finish(applyTo(type, patch, context, { ...type.empty, ...identity(type) }, []), decode);
}

/**
 * What an apply makes of the current object.
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
  const applied = applyTo(type, patch, context, current.object, managed, current);
  const synced = context.manager === "kubectl" ? syncLastApplied(applied, patch) : applied;
  return finish(synced, decode);
}

function applyTo(
  type: ResourceType,
  patch: ApplyPatch,
  context: WriteContext,
  live: JsonObject,
  managed: StoredObject["managed"],
  current?: StoredObject,
): Applied {
  const metadata = patch.config["metadata"];
  if (isObject(metadata) && metadata["managedFields"] !== undefined)
    throw badRequest("metadata.managedFields must be nil");
  const tolerated = context.manager === "kubectl" ? clientSideOwned(type, current) : undefined;
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
    ...(tolerated === undefined ? {} : { tolerated }),
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

// An object that nobody tracked so far belongs to a manager of this name, so that the apply can conflict with something.
function beforeFirstApply(type: ResourceType, current: StoredObject, patch: ApplyPatch): StoredObject["managed"] {
  return trackUpdate({ type: type.type, ignored: undefined }, type.empty, current.object, [], {
    manager: "before-first-apply",
    apiVersion: type.apiVersion,
    subresource: undefined,
    time: patch.time,
  });
}

// Users of `kubectl apply` may go over to `--server-side`: what the annotation says is theirs already.
function clientSideOwned(type: ResourceType, current: StoredObject | undefined): FieldSet | undefined {
  const text = current?.object.metadata.annotations?.[LAST_APPLIED];
  if (current === undefined || text === undefined) return undefined;
  let last: unknown;
  try {
    last = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(last)) return undefined;
  const { added, modified, removed } = compareObjects(type.type, last, current.object);
  return toFieldSet(type.type, last).difference(modified).difference(added).difference(removed);
}

function syncLastApplied(applied: Applied, { config }: ApplyPatch): Applied {
  const metadata = applied.object["metadata"];
  const annotations = isObject(metadata) ? metadata["annotations"] : undefined;
  if (!isObject(metadata) || !isObject(annotations) || typeof annotations[LAST_APPLIED] !== "string") return applied;
  const given = isObject(config["metadata"]) ? config["metadata"] : {};
  const { [LAST_APPLIED]: _last, ...own } = isObject(given["annotations"]) ? given["annotations"] : {};
  const clean = { ...config, metadata: isObject(given["annotations"]) ? { ...given, annotations: own } : given };
  const text = `${JSON.stringify(sortKeys(clean))}\n`;
  if (jsonEqual(annotations[LAST_APPLIED], text)) return applied;
  const object = {
    ...applied.object,
    metadata: { ...metadata, annotations: { ...annotations, [LAST_APPLIED]: text } },
  };
  return { object, managed: applied.managed };
}

function sortKeys(value: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => {
        const item = value[key];
        return [key, isObject(item) ? sortKeys(item) : item];
      }),
  );
}
