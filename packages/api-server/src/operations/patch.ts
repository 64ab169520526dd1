import { type Json, type JsonObject, isObject, type KubeObject } from "@kindling/kube-objects";
import { takeManagedFields, presentManagedFields } from "../managed-fields/client-managed-fields.ts";
import {
  JsonPatchError,
  JsonPatchFormError,
  JsonPatchSizeError,
  applyJsonPatch,
  cannotUnmarshal,
  parseJsonPatch,
} from "../patch/json-patch.ts";
import { applyMergePatch } from "../patch/merge-patch.ts";
import { StrategicPatchError } from "../patch/strategic-lists.ts";
import { applyStrategicPatch } from "../patch/strategic-merge.ts";
import type { ResourceType } from "../resources/resource-type.ts";
import { ApiError } from "../status/status.ts";
import { badRequest, tooLarge } from "../status/errors.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import type { Change } from "./update.ts";

export type PatchKind = "json" | "merge" | "strategic";

/** A patch, with its original text. */
export interface Patch {
  readonly kind: PatchKind;
  readonly body: Json;
  readonly text: string;
}

/**
 * The result of a patch on the current object.
 *
 * @throws ApiError 400 or 422 if the patch does not fit, 413 if it has too many operations.
 */
export function patchedObject(
  type: ResourceType,
  patch: Patch,
  current: StoredObject,
  decode: (document: JsonObject) => KubeObject,
): Change {
  // Managed fields are added for the patch only if it mentions them.
  const touchesManaged = patch.text.includes("managedFields");
  const document = touchesManaged ? withManaged(current) : { ...current.object };
  const patched = apply(type, patch, document);
  if (!isObject(patched)) throw badRequest("the patch does not leave an object");
  const object = decode(patched);
  const entries = touchesManaged ? takeManagedFields(object) : undefined;
  return { object, ...(entries === undefined ? {} : { managed: { entries, final: false } }) };
}

function withManaged(current: StoredObject): JsonObject {
  const { metadata } = current.object;
  return { ...current.object, metadata: { ...metadata, managedFields: presentManagedFields(current.managed) } };
}

function apply(type: ResourceType, patch: Patch, document: JsonObject): Json {
  try {
    switch (patch.kind) {
      case "json":
        return applyJsonPatch(document, parseJsonPatch(patch.body));
      case "merge":
        return applyMergePatch(document, objectBody(patch));
      case "strategic":
        return applyStrategicPatch(type.type, document, objectBody(patch));
    }
  } catch (error) {
    if (error instanceof JsonPatchFormError) throw badRequest(`error decoding patch: ${error.message}`);
    if (error instanceof JsonPatchSizeError) {
      throw tooLarge(error.message);
    }
    if (error instanceof JsonPatchError) {
      throw new ApiError(422, "Invalid", "the server rejected our request due to an error in our request", {});
    }
    if (error instanceof StrategicPatchError) throw new ApiError(500, undefined, error.message);
    throw error;
  }
}

function objectBody({ body, kind }: Patch): JsonObject {
  if (isObject(body)) return body;
  if (body === null) {
    if (kind === "strategic") return {};
    throw badRequest("Invalid JSON Patch");
  }
  const why = cannotUnmarshal(body, "map[string]interface {}");
  throw badRequest(kind === "strategic" ? why : `error decoding patch: ${why}`);
}
