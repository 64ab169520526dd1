import { isFields } from "../fields.ts";
import type { FieldError, NamedDetails } from "./kube-error.ts";
import { quoted } from "./quoted.ts";

/** The parts of apimachinery's `Status` (meta/v1) that a client needs, with texts of bounded length. */
export interface StatusObject {
  readonly code: number | undefined;
  readonly reason: string | undefined;
  readonly message: string;
  readonly details: NamedDetails;
  readonly causes: readonly FieldError[];
  readonly retryAfterSeconds: number | undefined;
}

/** The reasons of Kubernetes are single words; the longest has 28 letters. */
const LONGEST_REASON = 64;
/** Together with the reason, an error quotes a kibibyte. */
const LONGEST_MESSAGE = 1024 - LONGEST_REASON;
/** Names of Kubernetes' objects have at most 253 characters, those of other servers perhaps more. */
const LONGEST_NAME = 512;
const MOST_CAUSES = 16;
const CAUSES_BYTES = 1024;

/**
 * Reads a Status object, which may also come from a proxy that answers instead of the API server; undefined if it is none.
 * Members of the wrong type count as absent, because it is still an error.
 */
export function parseStatusObject(value: unknown): StatusObject | undefined {
  if (!isFields(value) || value["kind"] !== "Status") return undefined;
  const details = isFields(value["details"]) ? value["details"] : {};
  return {
    code: Number.isInteger(value["code"]) ? (value["code"] as number) : undefined,
    reason: text(value["reason"], LONGEST_REASON),
    // Validation messages of several fields may span lines.
    message: oneLine(text(value["message"], 4 * LONGEST_MESSAGE) ?? ""),
    details: {
      kind: text(details["kind"], LONGEST_NAME),
      group: text(details["group"], LONGEST_NAME),
      name: text(details["name"], LONGEST_NAME),
    },
    causes: causesOf(details["causes"]),
    retryAfterSeconds: seconds(details["retryAfterSeconds"]),
  };
}

function text(value: unknown, mostBytes: number): string | undefined {
  return typeof value === "string" && value !== "" ? quoted(value, mostBytes) : undefined;
}

function oneLine(message: string): string {
  return quoted(message.replaceAll(/\s*\n\s*/g, " ").trim(), LONGEST_MESSAGE);
}

function seconds(value: unknown): number | undefined {
  return typeof value === "number" && value >= 0 ? value : undefined;
}

/** The first causes; all their texts together have a bounded length. */
function causesOf(value: unknown): FieldError[] {
  if (!Array.isArray(value)) return [];
  const causes: FieldError[] = [];
  let left = CAUSES_BYTES;
  for (const cause of value.slice(0, MOST_CAUSES)) {
    if (!isFields(cause)) continue;
    const take = (key: string): string => {
      const part = quoted(oneLine(text(cause[key], LONGEST_MESSAGE) ?? ""), left);
      left -= Buffer.byteLength(part);
      return part;
    };
    causes.push({ field: take("field"), reason: take("reason"), message: take("message") });
    if (left < LONGEST_REASON) break;
  }
  return causes;
}
