import { type Json, isObject, jsonEqual } from "@kindling/kube-objects";
import { type Operation, Pointer, applyPatch } from "rfc6902";

/** The limit of Kubernetes (apiserver, pkg/endpoints/handlers/patch.go). */
const MOST_OPERATIONS = 10_000;
/** Bytes of JSON that the copies of one patch may have together (apiserver, pkg/server/config.go, `JSONPatchMaxCopyBytes`). */
const MOST_COPIED = 3 * 1024 * 1024;

/** Why a JSON patch cannot be read or does not apply. */
export class JsonPatchError extends Error {}

/** Why a body is not a JSON patch at all. */
export class JsonPatchFormError extends Error {}

/** Why a JSON patch is too large. */
export class JsonPatchSizeError extends Error {}

/**
 * Applies a JSON patch (RFC 6902) and returns the new document; the given one stays as it was.
 *
 * @throws JsonPatchError also if its copies come to more than 3 MiB of JSON: a document that is copied into itself doubles
 *   with each operation
 */
export function applyJsonPatch(document: Json, patch: readonly Operation[]): Json {
  const result = structuredClone(document);
  let copied = 0;
  for (const operation of patch) {
    if (operation.op === "copy") {
      copied += sizeOf(valueAt(result, operation.from));
      if (copied > MOST_COPIED) throw new JsonPatchError(`its copies have more than ${MOST_COPIED} bytes`);
    }
    const problem = attempt(result, operation);
    if (problem !== null && problem !== undefined) throw new JsonPatchError(problem.message);
  }
  return result;
}

// An invalid pointer is thrown; a pointer to nothing is returned as an error.
function attempt(document: Json, operation: Operation): Error | null | undefined {
  // The library would compute all differences, which takes time proportional to the product of two lists' lengths.
  if (operation.op === "test") {
    const isEqual = jsonEqual(valueAt(document, operation.path), operation.value);
    return isEqual ? null : new Error(`the value at ${operation.path} is another`);
  }
  try {
    return applyPatch(document, [operation])[0];
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function valueAt(document: Json, path: string): unknown {
  try {
    return Pointer.fromJSON(path).evaluate(document).value;
  } catch (error) {
    throw new JsonPatchError(error instanceof Error ? error.message : String(error));
  }
}

function sizeOf(value: unknown): number {
  return value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value));
}

/**
 * Reads a parsed body as a list of operations; null is an empty one.
 *
 * @throws JsonPatchFormError if it is not a list of objects.
 * @throws JsonPatchSizeError if it has more than 10,000 operations.
 * @throws JsonPatchError if an operation lacks something.
 */
export function parseJsonPatch(body: Json): Operation[] {
  if (body === null) return [];
  if (!Array.isArray(body)) throw new JsonPatchFormError(cannotUnmarshal(body, "[]handlers.jsonPatchOp"));
  if (body.length > MOST_OPERATIONS) {
    const most = `The allowed maximum operations in a JSON patch is ${MOST_OPERATIONS}, got ${body.length}`;
    throw new JsonPatchSizeError(most);
  }
  return body.map((item) => {
    if (!isObject(item)) throw new JsonPatchFormError(cannotUnmarshal(item, "handlers.jsonPatchOp"));
    const { op, path, from, value = null } = item;
    if (typeof path !== "string" || typeof op !== "string")
      throw new JsonPatchError("an operation has no path, or no name");
    switch (op) {
      case "add":
      case "replace":
      case "test":
        return { op, path, value };
      case "remove":
        return { op, path };
      case "move":
      case "copy":
        return { op, path, from: typeof from === "string" ? from : "" };
      default:
        throw new JsonPatchError(`no operation of JSON patches: ${op}`);
    }
  });
}

/** Go's message for JSON of the wrong type. */
export function cannotUnmarshal(value: Json, type: string): string {
  const kind = Array.isArray(value) ? "array" : typeof value === "boolean" ? "bool" : typeof value;
  return `json: cannot unmarshal ${kind} into Go value of type ${type}`;
}
