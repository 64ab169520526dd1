import { type JsonObject, isObject } from "@kindling/kube-objects";
import type { DeleteOptions } from "../operations/delete.ts";
import { DecodeError, decode } from "../schema/decode.ts";
import { deleteOptionsType } from "../schema/meta-schema.ts";
import { badRequest } from "../status/errors.ts";
import { ApiError } from "../status/status.ts";
import { type FieldError, notSupported } from "../status/field-error.ts";
import type { Exchange } from "./exchange.ts";
import { parseJsonText } from "./parse-json-text.ts";
import { integer, refuse, unsupportedDryRun } from "./options.ts";
import { readBody, readParsedBody } from "./read-body.ts";

const POLICIES = ["Foreground", "Background", "Orphan"] as const;

/**
 * Options of a deletion, from the body if there is one, else from the query.
 *
 * @throws ApiError 422 for unknown values, 500 for a body that is something else.
 */
export async function deleteOptions(exchange: Exchange): Promise<DeleteOptions & { dryRun: boolean }> {
  const { dryRun = [], gracePeriodSeconds, propagationPolicy, preconditions = {} } = await givenOptions(exchange);
  const errors: FieldError[] = [];
  if (dryRun.some((value) => value !== "All")) errors.push(unsupportedDryRun(dryRun));
  const policy = POLICIES.find((name) => name === propagationPolicy);
  if (propagationPolicy !== undefined && policy === undefined) {
    errors.push(notSupported("propagationPolicy", propagationPolicy, [...POLICIES, "nil"]));
  }
  refuse("DeleteOptions", errors);
  return {
    dryRun: dryRun.length > 0,
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(policy === undefined ? {} : { propagationPolicy: policy }),
    preconditions,
  };
}

/** The fields of `DeleteOptions`, as they are decoded. */
interface GivenOptions {
  readonly dryRun?: readonly string[];
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: string;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

async function givenOptions(exchange: Exchange): Promise<GivenOptions> {
  const body = await readOptionsBody(exchange);
  if (body !== undefined) return body;
  const { query } = exchange;
  const grace = integer(query, "gracePeriodSeconds");
  const policy = query.get("propagationPolicy");
  return {
    dryRun: query.getAll("dryRun"),
    ...(grace === undefined ? {} : { gracePeriodSeconds: grace }),
    ...(policy === null ? {} : { propagationPolicy: policy }),
  };
}

async function readOptionsBody(exchange: Exchange): Promise<GivenOptions | undefined> {
  const body = await parsedBody(exchange);
  if (body === undefined) return undefined;
  const kind = body["kind"] ?? "";
  if (kind !== "" && kind !== "DeleteOptions") {
    const version = JSON.stringify(body["apiVersion"] ?? "");
    const why = `no kind ${JSON.stringify(kind)} is registered for version ${version} in scheme "pkg/runtime/scheme.go:110"`;
    throw new ApiError(500, undefined, why);
  }
  try {
    return decode(deleteOptionsType, body, { defaults: false });
  } catch (error) {
    throw error instanceof DecodeError ? new ApiError(500, undefined, error.message) : error;
  }
}

async function parsedBody(exchange: Exchange): Promise<JsonObject | undefined> {
  if (exchange.contentType === "application/vnd.kubernetes.protobuf") {
    const value = await readParsedBody(exchange, "DeleteOptions", deleteOptionsType);
    return isObject(value) ? value : undefined;
  }
  const text = await readBody(exchange);
  if (text === "") return undefined;
  let body: unknown;
  try {
    body = parseJsonText(text);
  } catch {
    throw new ApiError(500, undefined, "couldn't get version/kind; json parse error: unexpected end of JSON input");
  }
  if (isObject(body)) return body;
  throw badRequest("the object provided is unrecognized (must be of type DeleteOptions)");
}
