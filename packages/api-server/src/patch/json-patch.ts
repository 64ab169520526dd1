import { type Operation, applyPatch } from "rfc6902";
import { type Json, isObject } from "../json.ts";

/** Why a JSON patch cannot be read or does not apply. */
export class JsonPatchError extends Error {}

/** Why a body is no JSON patch at all. */
export class JsonPatchFormError extends Error {}

/**
 * Applies a JSON patch (RFC 6902) and returns the new document; the given one stays as it was.
 *
 * @throws JsonPatchError
 */
export function applyJsonPatch(document: Json, patch: readonly Operation[]): Json {
  const result = structuredClone(document);
  for (const operation of patch) {
    const [problem] = attempt(result, operation);
    if (problem !== null && problem !== undefined) throw new JsonPatchError(problem.message);
  }
  return result;
}

// What is no pointer at all is thrown, what points at nothing is returned.
function attempt(document: Json, operation: Operation): readonly (Error | null)[] {
  try {
    return applyPatch(document, [operation]);
  } catch (error) {
    return [error instanceof Error ? error : new Error(String(error))];
  }
}

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

/** What Go says of JSON that is not of the type wanted. */
export function cannotUnmarshal(value: Json, type: string): string {
  const kind = Array.isArray(value) ? "array" : typeof value === "boolean" ? "bool" : typeof value;
  return `json: cannot unmarshal ${kind} into Go value of type ${type}`;
}
