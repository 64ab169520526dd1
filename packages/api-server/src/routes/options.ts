import { badRequest, invalid } from "../status/errors.ts";
import { type FieldError, forbiddenField, notSupported, quoteValue, required } from "../status/field-error.ts";
import type { Exchange } from "./exchange.ts";

const VALIDATIONS = ["", "Ignore", "Strict", "Warn"];

/**
 * Checks the query of a write and says whether it is a dry run.
 *
 * @throws ApiError 422 for unknown values.
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

/** A whole number in the query; undefined if it is not given. */
export function integer(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === "") return undefined;
  if (!/^-?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  return Number(text);
}

/** A boolean in the query. */
export function flag(query: URLSearchParams, name: string): boolean {
  const text = query.get(name);
  return text !== null && text !== "false" && text !== "0";
}

/** @throws ApiError 422 for options that are wrong. */
export function refuse(kind: string, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid("meta.k8s.io", kind, "", errors);
}

/** The error for a dry run of another kind than `All`. */
export function unsupportedDryRun(values: readonly string[]): FieldError {
  return {
    reason: "FieldValueNotSupported",
    field: "dryRun",
    message: `Unsupported value: ${quoteValue(values)}: supported values: "All"`,
  };
}
