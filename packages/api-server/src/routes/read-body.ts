import { messageOf } from "@kindling/core-spec";
import { type Json, type JsonObject, isObject, type KubeObject } from "@kindling/kube-objects";
import type { IncomingMessage } from "node:http";
import type { ResourceTypes } from "../resources/resource-types.ts";
import type { ResourceType } from "../resources/resource-type.ts";
import { ProtobufError, decodeProtobuf } from "../schema/decode-protobuf.ts";
import type { StructType } from "../schema/types.ts";
import { WireFormatError } from "../schema/wire-format.ts";
import { badRequest, tooLarge, unsupportedMediaType } from "../status/errors.ts";
import type { ApiError } from "../status/status.ts";
import { decodeObject } from "./decode-object.ts";
import type { Exchange } from "./exchange.ts";
import { parseJsonText } from "./parse-json-text.ts";

/**
 * Reads the body of a request.
 *
 * @throws ApiError 413 if it has more bytes than its rules allow, and the errors of these rules.
 */
async function readBytes({ request, bodies }: Exchange): Promise<Buffer> {
  const { mostBytes } = bodies;
  const most = announcedBytes(request, mostBytes);
  if (most > mostBytes) throw tooLarge(`limit is ${mostBytes}`);
  if (most > 0) await bodies.reserve?.(most);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = chunk as Buffer;
    size += bytes.length;
    if (size > mostBytes) throw tooLarge(`limit is ${mostBytes}`);
    chunks.push(bytes);
  }
  const body = chunks.length === 1 ? (chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(chunks);
  bodies.check?.(body);
  return body;
}

/** The highest possible number of bytes of a body; `unknown` if it comes in chunks without a length. */
function announcedBytes({ headers }: IncomingMessage, unknown: number): number {
  if (headers["transfer-encoding"] !== undefined) return unknown;
  return Number(headers["content-length"] ?? 0);
}

/** The body of a request as text. */
export async function readBody(exchange: Exchange): Promise<string> {
  return (await readBytes(exchange)).toString("utf8");
}

/**
 * Reads a body in JSON, or in protobuf if its media type says so and the kind has a type. An empty one has no value.
 *
 * @throws ApiError 415 for other media types, 400 for a body that cannot be parsed.
 */
export async function readParsedBody(exchange: Exchange, kind: string, type: StructType | undefined): Promise<unknown> {
  const bytes = await readBytes(exchange);
  switch (exchange.contentType) {
    case "application/vnd.kubernetes.protobuf":
      if (type === undefined) throw unsupportedMediaType();
      return bytes.length === 0 ? undefined : parseProtobuf(type, bytes);
    case "":
    case "*/*":
    case "application/json": {
      const text = bytes.toString("utf8");
      try {
        return parseJsonText(text);
      } catch (error) {
        throw unrecognised(kind, `json parse error: ${messageOf(error)}`);
      }
    }
    default:
      throw unsupportedMediaType();
  }
}

function parseProtobuf(type: StructType, bytes: Buffer): JsonObject {
  try {
    return decodeProtobuf(type, bytes);
  } catch (error) {
    if (error instanceof ProtobufError || error instanceof WireFormatError)
      throw unrecognised(type.name, error.message);
    throw error;
  }
}

/**
 * Parses JSON that is not an object of the API, for example a patch.
 *
 * @throws ApiError 400
 */
export function parseJson(text: string): Json {
  try {
    return parseJsonText(text) as Json;
  } catch (error) {
    throw badRequest(`error decoding patch: ${messageOf(error)}`);
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
  const body = await readParsedBody(exchange, type.kind, type.strategicPatch ? type.type : undefined);
  if (!isObject(body)) {
    const given = Array.isArray(body) ? "array" : body === null ? "null" : typeof body;
    throw unrecognised(type.kind, `json parse error: json: cannot unmarshal ${given} into Go value`);
  }
  return decodeObject(exchange, type, types, body);
}
