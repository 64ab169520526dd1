import { type Json, type JsonObject, isObject } from "../../json.ts";
import type { KubeObject } from "../../objects/object.ts";
import type { ResourceTypes } from "../resource-types.ts";
import type { ResourceType } from "../resources/resource-type.ts";
import { DecodeError } from "../schema/decode.ts";
import { ProtobufError, decodeProtobuf } from "../schema/decode-protobuf.ts";
import { WireFormatError } from "../schema/wire-format.ts";
import { fieldOrder } from "../schema/field-order.ts";
import { badRequest, invalid, unsupportedMediaType } from "../status/errors.ts";
import { ApiError } from "../status/status.ts";
import { invalidValue } from "../validation/field-error.ts";
import type { Exchange } from "./exchange.ts";

const LIMIT = 3 * 1024 * 1024;

/** What to do about fields that a type does not have, or that come twice. */
export type FieldValidation = "Ignore" | "Warn" | "Strict";

/**
 * Reads the body of a request.
 *
 * @throws ApiError 413 beyond 3 MiB, as the API server has it.
 */
async function readBytes({ request }: Exchange): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = chunk as Buffer;
    size += bytes.length;
    if (size > LIMIT) throw new ApiError(413, "RequestEntityTooLarge", `Request entity too large: limit is ${LIMIT}`);
    chunks.push(bytes);
  }
  return chunks.length === 1 ? (chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(chunks);
}

/** The body of a request as text. */
export async function readBody(exchange: Exchange): Promise<string> {
  return (await readBytes(exchange)).toString("utf8");
}

/** A parsed body; the text is there if it was JSON. */
export interface ParsedBody {
  readonly value: unknown;
  readonly text: string | undefined;
}

/**
 * Reads a body in JSON, or in YAML or protobuf if its media type says so. An empty one has no value.
 *
 * @throws ApiError 415 for other media types, 400 for what is none of them.
 */
export async function readParsedBody(exchange: Exchange, kind: string): Promise<ParsedBody> {
  const bytes = await readBytes(exchange);
  switch (exchange.contentType) {
    case "application/vnd.kubernetes.protobuf":
      return { value: bytes.length === 0 ? undefined : parseProtobuf(exchange, bytes, kind), text: undefined };
    case "application/yaml":
      return { value: await parseYaml(bytes.toString("utf8"), kind), text: undefined };
    case "":
    case "*/*":
    case "application/json": {
      const text = bytes.toString("utf8");
      try {
        return { value: JSON.parse(text), text };
      } catch (error) {
        throw unrecognised(kind, `json parse error: ${goJsonMessage(text, error)}`);
      }
    }
    default:
      throw unsupportedMediaType();
  }
}

async function parseYaml(text: string, kind: string): Promise<unknown> {
  const { parse } = await import("yaml");
  try {
    return parse(text);
  } catch (error) {
    throw unrecognised(
      kind,
      `yaml parse error: ${error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error)}`,
    );
  }
}

function parseProtobuf({ schema }: Exchange, bytes: Buffer, kind: string): JsonObject {
  try {
    return decodeProtobuf(schema, bytes);
  } catch (error) {
    if (error instanceof ProtobufError || error instanceof WireFormatError) throw unrecognised(kind, error.message);
    throw error;
  }
}

/**
 * Parses JSON that is no object of the API: a patch, say.
 *
 * @throws ApiError 400
 */
export function parseJson(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    throw badRequest(`error decoding patch: ${goJsonMessage(text, error).replace(/ \(.*\)$/s, "")}`);
  }
}

function unrecognised(kind: string, why: string): ApiError {
  return badRequest(`the object provided is unrecognized (must be of type ${kind}): couldn't get version/kind; ${why}`);
}

/**
 * Reads a request's body as an object of the type.
 *
 * @throws ApiError 400 with the server's own message for a wrong kind, a wrong JSON type, or, if strict, unknown fields.
 */
export async function readObject(exchange: Exchange, type: ResourceType, types: ResourceTypes): Promise<KubeObject> {
  const { value: body, text } = await readParsedBody(exchange, type.kind);
  if (!isObject(body)) {
    const given = Array.isArray(body) ? "array" : body === null ? "null" : typeof body;
    throw unrecognised(type.kind, `json parse error: json: cannot unmarshal ${given} into Go value`);
  }
  return decodeObject(exchange, type, types, body, text);
}

/** As `readObject`, for JSON that is already parsed; `text` is looked through for fields that come twice. */
export function decodeObject(
  exchange: Exchange,
  type: ResourceType,
  types: ResourceTypes,
  body: JsonObject,
  text?: string,
): KubeObject {
  checkKind(type, body, types);
  const validation = fieldValidation(exchange);
  const unknown: string[] = [];
  const onUnknownField = (path: string): void => void unknown.push(path);
  let object: KubeObject;
  try {
    object = type.decode(body, { defaults: true, ...(validation === "Ignore" ? {} : { onUnknownField }) });
  } catch (error) {
    if (error instanceof DecodeError) throw cannotHandle(type, error.message);
    throw error;
  }
  if (validation === "Ignore") return object;
  const problems = fieldProblems(unknown, body, text);
  if (problems.length > 0 && validation === "Strict")
    throw cannotHandle(type, `strict decoding error: ${problems.join(", ")}`);
  exchange.warnings.push(...problems);
  return object;
}

/** Fields that the type does not have or that come twice, in the order of the text. */
function fieldProblems(unknown: readonly string[], body: JsonObject, text: string | undefined): string[] {
  const known = unknown.map((path) => ({ path, text: `unknown field ${JSON.stringify(path)}` }));
  if (text === undefined || (unknown.length === 0 && !mayHaveDuplicates(text, body)))
    return known.map((one) => one.text);
  const { paths, duplicates } = fieldOrder(text);
  const twice = duplicates
    .filter((path) => !unknown.includes(path))
    .map((path) => ({ path, text: `duplicate field ${JSON.stringify(path)}` }));
  const all = [...known, ...twice].sort((a, b) => paths.indexOf(a.path) - paths.indexOf(b.path));
  return all.map((one) => one.text);
}

/** What the client wants done about unknown fields; the values have been checked. */
export function fieldValidation({ query }: Exchange): FieldValidation {
  const asked = query.get("fieldValidation");
  return asked === "Ignore" || asked === "Strict" ? asked : "Warn";
}

/** 400 for a body that is not an object of the type. */
export function cannotHandle(type: ResourceType, why: string): ApiError {
  return badRequest(
    `${type.kind} in version ${JSON.stringify(type.version)} cannot be handled as a ${type.kind}: ${why}`,
  );
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
  throw badRequest(`${givenKind} in version ${JSON.stringify(version)} cannot be handled as a ${type.kind}: ${why}`);
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

// The package of the server's own form of a kind, as its messages name it.
function internalPackage({ group }: ResourceType): string {
  return group === "" ? "core" : (group.split(".")[0] ?? group);
}

// A compact text without repeated keys is as long as what it parses to; only the others need the slow look.
function mayHaveDuplicates(text: string, body: JsonObject): boolean {
  return JSON.stringify(body).length !== text.length;
}

function goJsonMessage(text: string, error: unknown): string {
  const shown =
    text === ""
      ? "<empty>"
      : text.startsWith("{")
        ? text.slice(0, 1024)
        : Buffer.from(text.slice(0, 512)).toString("hex");
  const message = error instanceof Error ? error.message : "";
  const position = Number(/at position (\d+)/.exec(message)?.[1] ?? 0);
  if (/end of JSON input|Unterminated/.test(message) || position >= text.trimEnd().length) {
    return `unexpected end of JSON input (${shown})`;
  }
  const character = /Unexpected token '?(.)/.exec(message)?.[1] ?? text.charAt(position);
  return `invalid character '${character}' looking for beginning of value (${shown})`;
}
