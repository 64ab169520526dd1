import { isObject } from "../../json.ts";
import { type DeleteOptions } from "../operations/delete.ts";
import { badRequest, invalid } from "../status/errors.ts";
import { ApiError } from "../status/status.ts";
import { type FieldError, forbiddenField, notSupported, quoteValue, required } from "../validation/field-error.ts";
import type { Exchange } from "./exchange.ts";
import { readBody, readParsedBody } from "./read-body.ts";

const VALIDATIONS = ["", "Ignore", "Strict", "Warn"];
const POLICIES = ["Foreground", "Background", "Orphan"] as const;

/**
 * Checks the query of a write and says whether it is a dry run.
 *
 * @throws ApiError 422 for values that do not exist.
 */
export function writeOptions(
  { query }: Exchange,
  kind: "CreateOptions" | "UpdateOptions" | "PatchOptions",
): { dryRun: boolean } {
  const errors: FieldError[] = [];
  const dryRun = query.getAll("dryRun").filter((value) => value !== "");
  if (dryRun.some((value) => value !== "All")) errors.push(unsupportedDryRun(dryRun));
  const validation = query.get("fieldValidation") ?? "";
  if (!VALIDATIONS.includes(validation)) errors.push(notSupported("fieldValidation", validation, VALIDATIONS));
  refuse(kind, errors);
  return { dryRun: dryRun.length > 0 };
}

/** Checks the query of a patch; `apply` tells whether it is a server-side apply. */
export function patchOptions(exchange: Exchange, apply: boolean): { dryRun: boolean; force: boolean } {
  const errors: FieldError[] = [];
  const force = exchange.query.get("force");
  if (apply && (exchange.query.get("fieldManager") ?? "") === "") {
    errors.push(required("fieldManager", "is required for apply patch"));
  }
  if (!apply && force !== null) errors.push(forbiddenField("force", "may not be specified for non-apply patch"));
  refuse("PatchOptions", errors);
  return { ...writeOptions(exchange, "PatchOptions"), force: force === "true" || force === "1" };
}

/** Options of a deletion, from the body if there is one, else from the query. */
export async function deleteOptions(exchange: Exchange): Promise<DeleteOptions & { dryRun: boolean }> {
  const { query } = exchange;
  const body = await readOptionsBody(exchange);
  const grace = body["gracePeriodSeconds"] ?? integer(query, "gracePeriodSeconds");
  const policy = body["propagationPolicy"] ?? query.get("propagationPolicy") ?? undefined;
  const orphan =
    body["orphanDependents"] ?? (query.has("orphanDependents") ? query.get("orphanDependents") === "true" : undefined);
  const preconditions = isObject(body["preconditions"]) ? body["preconditions"] : {};
  const dryRun = Array.isArray(body["dryRun"]) ? body["dryRun"].map(String) : query.getAll("dryRun");
  const errors: FieldError[] = [];
  if (dryRun.some((value) => value !== "All")) errors.push(unsupportedDryRun(dryRun));
  const known = POLICIES.find((name) => name === policy);
  if (policy !== undefined && policy !== null && known === undefined) {
    errors.push(notSupported("propagationPolicy", policy, [...POLICIES, "nil"]));
  }
  refuse("DeleteOptions", errors);
  const { uid, resourceVersion } = preconditions;
  return {
    dryRun: dryRun.length > 0,
    ...(typeof grace === "number" ? { gracePeriodSeconds: grace } : {}),
    ...(known !== undefined ? { propagationPolicy: known } : {}),
    ...(known === undefined && orphan === true ? { propagationPolicy: "Orphan" as const } : {}),
    ...(known === undefined && orphan === false ? { propagationPolicy: "Background" as const } : {}),
    preconditions: {
      ...(typeof uid === "string" ? { uid } : {}),
      ...(typeof resourceVersion === "string" ? { resourceVersion } : {}),
    },
  };
}

/** A whole number in the query; undefined if it is not given. */
export function integer(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === "") return undefined;
  if (!/^-?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  return Number(text);
}

/** A yes or no in the query. */
export function flag(query: URLSearchParams, name: string): boolean {
  const text = query.get(name);
  return text !== null && text !== "false" && text !== "0";
}

/** @throws ApiError 422 for options that are wrong. */
export function refuse(kind: string, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid("meta.k8s.io", kind, "", errors);
}

function unsupportedDryRun(values: readonly string[]): FieldError {
  return {
    reason: "FieldValueNotSupported",
    field: "dryRun",
    message: `Unsupported value: ${quoteValue(values)}: supported values: "All"`,
  };
}

async function readOptionsBody(exchange: Exchange): Promise<Record<string, unknown>> {
  if (exchange.contentType === "application/vnd.kubernetes.protobuf") {
    const { value } = await readParsedBody(exchange, "DeleteOptions");
    return isObject(value) ? value : {};
  }
  const text = await readBody(exchange);
  if (text === "") return {};
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new ApiError(500, undefined, "couldn't get version/kind; json parse error: unexpected end of JSON input");
  }
  if (!isObject(body)) throw badRequest("the object provided is unrecognized (must be of type DeleteOptions)");
  const kind = body["kind"];
  if (kind === undefined || kind === "" || kind === "DeleteOptions") return body;
  throw badRequest(
    `${String(kind)} in version ${quoteValue(body["apiVersion"])} cannot be handled as a DeleteOptions: wrong kind`,
  );
}
