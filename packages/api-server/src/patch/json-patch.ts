import { type Json, isObject, jsonEqual } from "../../json.ts";

interface Operation {
  readonly op: string;
  readonly path: string;
  readonly from?: string;
  readonly value?: Json;
}

/** Why a JSON patch cannot be read or does not apply. */
export class JsonPatchError extends Error {}

/**
 * Applies a JSON patch (RFC 6902) and returns the new document; the given one stays as it was.
 *
 * @throws JsonPatchError with the text that the API server would give.
 */
export function applyJsonPatch(document: Json, patch: readonly Operation[]): Json {
  let result = structuredClone(document);
  for (const operation of patch) result = applyOperation(result, operation);
  return result;
}

/** Why a body is no JSON patch at all. */
export class JsonPatchFormError extends Error {}

/**
 * Reads a parsed body as a list of operations; null is an empty one.
 *
 * @throws JsonPatchFormError if it is no list of objects.
 * @throws JsonPatchError if an operation lacks something.
 */
export function parseJsonPatch(body: Json): Operation[] {
  if (body === null) return [];
  if (!Array.isArray(body)) throw new JsonPatchFormError(cannotUnmarshal(body, "[]handlers.jsonPatchOp"));
  return body.map((item) => {
    if (!isObject(item)) throw new JsonPatchFormError(cannotUnmarshal(item, "handlers.jsonPatchOp"));
    const { op, path, from, value } = item;
    if (typeof op !== "string" || typeof path !== "string") throw new JsonPatchError("Unexpected kind: unknown");
    return {
      op,
      path,
      ...(typeof from === "string" ? { from } : {}),
      ...(value === undefined ? {} : { value }),
    };
  });
}

/** What Go says of JSON that is not of the type wanted. */
export function cannotUnmarshal(value: Json, type: string): string {
  const kind = Array.isArray(value) ? "array" : typeof value === "boolean" ? "bool" : typeof value;
  return `json: cannot unmarshal ${kind} into Go value of type ${type}`;
}

function applyOperation(document: Json, operation: Operation): Json {
  const { op, path } = operation;
  const value = operation.value ?? null;
  switch (op) {
    case "add":
      return addAt(document, path, structuredClone(value), "add");
    case "remove":
      return removeAt(document, path, "remove");
    case "replace":
      return replaceAt(document, path, structuredClone(value));
    case "move": {
      const moved = readAt(document, operation.from ?? "", "move");
      return addAt(removeAt(document, operation.from ?? "", "move"), path, moved, "move");
    }
    case "copy":
      return addAt(document, path, structuredClone(readAt(document, operation.from ?? "", "copy")), "copy");
    case "test":
      if (!jsonEqual(tryReadAt(document, path) ?? null, value)) {
        throw new JsonPatchError(`testing value ${path} failed: test failed`);
      }
      return document;
    default:
      throw new JsonPatchError(`Unexpected kind: ${op}`);
  }
}

function segments(pointer: string): string[] {
  if (pointer === "") return [];
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function locate(document: Json, pointer: string, op: string): { parent: Json; key: string } {
  const parts = segments(pointer);
  const key = parts.pop() ?? "";
  let parent: Json | undefined = document;
  for (const part of parts) parent = child(parent ?? null, part);
  if (parent === undefined || typeof parent !== "object" || parent === null) {
    throw new JsonPatchError(
      `${op} operation does not apply: doc is missing path: ${JSON.stringify(pointer)}: missing value`,
    );
  }
  return { parent, key };
}

function child(parent: Json, key: string): Json | undefined {
  if (Array.isArray(parent)) return /^\d+$/.test(key) ? parent[Number(key)] : undefined;
  return isObject(parent) && Object.hasOwn(parent, key) ? parent[key] : undefined;
}

function tryReadAt(document: Json, pointer: string): Json | undefined {
  let current: Json | undefined = document;
  for (const part of segments(pointer)) current = child(current ?? null, part);
  return current;
}

function readAt(document: Json, pointer: string, op: string): Json {
  const value = tryReadAt(document, pointer);
  if (value === undefined) {
    throw new JsonPatchError(
      `${op} operation does not apply: doc is missing from path: ${JSON.stringify(pointer)}: missing value`,
    );
  }
  return value;
}

function addAt(document: Json, pointer: string, value: Json, op: string): Json {
  if (pointer === "") return value;
  const { parent, key } = locate(document, pointer, op);
  if (!Array.isArray(parent)) {
    if (isObject(parent)) parent[key] = value;
    return document;
  }
  const index = key === "-" ? parent.length : arrayIndex(key, pointer);
  if (index > parent.length) {
    throw new JsonPatchError(
      `${op} operation does not apply: doc is missing path: ${JSON.stringify(pointer)}: Unable to access invalid index: ${index}: invalid index referenced`,
    );
  }
  parent.splice(index, 0, value);
  return document;
}

function removeAt(document: Json, pointer: string, op: string): Json {
  const { parent, key } = locate(document, pointer, op);
  if (Array.isArray(parent)) {
    const index = arrayIndex(key, pointer);
    if (index >= parent.length) {
      throw new JsonPatchError(
        `${op} operation does not apply: doc is missing path: ${JSON.stringify(pointer)}: Unable to access invalid index: ${index}: invalid index referenced`,
      );
    }
    parent.splice(index, 1);
  } else if (isObject(parent)) {
    if (!Object.hasOwn(parent, key)) {
      throw new JsonPatchError(
        `${op} operation does not apply: doc is missing path: ${JSON.stringify(pointer)}: Unable to remove nonexistent key: ${key}: missing value`,
      );
    }
    delete parent[key];
  }
  return document;
}

function replaceAt(document: Json, pointer: string, value: Json): Json {
  if (pointer === "") return value;
  const { parent, key } = locate(document, pointer, "replace");
  // The server's library adds members that are not there.
  if (Array.isArray(parent) && child(parent, key) === undefined) {
    throw new JsonPatchError(`replace operation does not apply: doc is missing key: ${pointer}: missing value`);
  }
  if (Array.isArray(parent)) parent[arrayIndex(key, pointer)] = value;
  else if (isObject(parent)) parent[key] = value;
  return document;
}

function arrayIndex(key: string, pointer: string): number {
  if (/^\d+$/.test(key)) return Number(key);
  throw new JsonPatchError(`value was not a proper array index: ${JSON.stringify(pointer)}`);
}
