import { type JsonObject, isObject, type KubeObject } from "@kindling/kube-objects";
import type { ResourceTypes } from "../resources/resource-types.ts";
import type { ResourceType } from "../resources/resource-type.ts";
import { DecodeError } from "../schema/decode.ts";
import { badRequest, invalid } from "../status/errors.ts";
import type { ApiError } from "../status/status.ts";
import { invalidValue } from "../status/field-error.ts";
import type { Exchange } from "./exchange.ts";

/** What to do about fields that a type does not have. */
export type FieldValidation = "Ignore" | "Warn" | "Strict";

/** Why JSON is not an object of a type. */
export class ObjectError extends Error {
  /** The kind and version according to the JSON: the server's answer begins with them. */
  readonly subject: string;

  constructor(kind: string, version: string, why: string) {
    super(why);
    this.subject = `${kind} in version ${JSON.stringify(version)}`;
  }
}

/**
 * Reads parsed JSON as an object of the type.
 *
 * @throws ApiError 400 with the server's own message for a wrong kind, a wrong JSON type, or, if strict, unknown fields.
 */
export function decodeObject(
  exchange: Exchange,
  type: ResourceType,
  types: ResourceTypes,
  body: JsonObject,
): KubeObject {
  try {
    return decodeChecked(exchange, type, types, body);
  } catch (error) {
    if (!(error instanceof ObjectError)) throw error;
    throw badRequest(`${error.subject} cannot be handled as a ${type.kind}: ${error.message}`);
  }
}

/**
 * Like `decodeObject`, for callers with their own error messages.
 *
 * @throws ObjectError
 */
export function decodeChecked(
  exchange: Exchange,
  type: ResourceType,
  types: ResourceTypes,
  body: JsonObject,
): KubeObject {
  checkKind(type, body, types);
  const validation = fieldValidation(exchange);
  const unknown: string[] = [];
  const onUnknownField = (path: string): void => void unknown.push(path);
  const refuse = (why: string): ObjectError => new ObjectError(type.kind, type.version, why);
  let object: KubeObject;
  try {
    object = type.decode(body, { defaults: true, ...(validation === "Ignore" ? {} : { onUnknownField }) });
  } catch (error) {
    throw error instanceof DecodeError ? refuse(error.message) : error;
  }
  if (validation === "Ignore") return object;
  const problems = unknown.map((path) => `unknown field ${JSON.stringify(path)}`);
  if (problems.length > 0 && validation === "Strict") throw refuse(`strict decoding error: ${problems.join(", ")}`);
  exchange.warnings.push(...problems);
  return object;
}

/** What the client wants to happen with unknown fields; the values were checked before. */
export function fieldValidation({ query }: Exchange): FieldValidation {
  const asked = query.get("fieldValidation");
  return asked === "Ignore" || asked === "Strict" ? asked : "Warn";
}

function checkKind(type: ResourceType, body: JsonObject, types: ResourceTypes): void {
  const { kind, apiVersion } = body;
  body["kind"] = kind === undefined || kind === "" ? type.kind : kind;
  body["apiVersion"] = apiVersion === undefined || apiVersion === "" ? type.apiVersion : apiVersion;
  if (body["kind"] === type.kind && body["apiVersion"] === type.apiVersion) return;
  const [givenKind, givenVersion] = [String(body["kind"]), String(body["apiVersion"])];
  const other = types.ofKind(givenVersion, givenKind);
  const why =
    other?.strategicPatch === true && type.strategicPatch
      ? `converting (${other.version}.${givenKind}) to (${internalPackage(type)}.${type.kind}): unknown conversion`
      : `no kind ${JSON.stringify(givenKind)} is registered for version ${JSON.stringify(givenVersion)} in scheme "pkg/runtime/scheme.go:110"`;
  if (!type.strategicPatch) throw wrongCustomKind(type, body, givenKind, givenVersion);
  const version = givenVersion.slice(givenVersion.indexOf("/") + 1);
  throw new ObjectError(givenKind, version, why);
}

function wrongCustomKind(type: ResourceType, body: JsonObject, kind: string, apiVersion: string): ApiError {
  if (apiVersion !== type.apiVersion) {
    return badRequest(
      `the API version in the data (${apiVersion}) does not match the expected API version (${type.apiVersion})`,
    );
  }
  const name =
    isObject(body["metadata"]) && typeof body["metadata"]["name"] === "string" ? body["metadata"]["name"] : "";
  return invalid(type.group, kind, name, [invalidValue("kind", kind, `must be ${type.kind}`)]);
}

// The Go package of the server's internal form of a kind, as its messages name it.
function internalPackage({ group }: ResourceType): string {
  return group === "" ? "core" : (group.split(".")[0] ?? group);
}
