import { type Json, canonicalTime } from "@kindling/kube-objects";
import { canonicalQuantity } from "./quantity.ts";
import type { ScalarKind } from "./types.ts";

/** A scalar in the server's own form; without a message, the failure is that the JSON type does not fit. */
export type ScalarResult =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly message?: string };

const QUANTITY_MESSAGE = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const INTEGER_LIMITS = { int32: 2 ** 31, int64: 2 ** 63 } as const;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Reads one JSON scalar as Go's decoder would. */
export function decodeScalar(kind: ScalarKind, given: Json): ScalarResult {
  switch (kind) {
    case "string":
    case "duration":
      return typeof given === "string" ? { ok: true, value: given } : { ok: false };
    case "bool":
      return typeof given === "boolean" ? { ok: true, value: given } : { ok: false };
    case "int32":
    case "int64":
      return typeof given === "number" && Number.isInteger(given) && Math.abs(given) < INTEGER_LIMITS[kind]
        ? { ok: true, value: given }
        : { ok: false };
    case "float64":
      return typeof given === "number" ? { ok: true, value: given } : { ok: false };
    case "intOrString":
      return typeof given === "number" || typeof given === "string" ? { ok: true, value: given } : { ok: false };
    case "quantity":
      return decodeQuantity(given);
    case "time":
    case "microTime":
      return decodeTime(given, kind === "microTime");
    case "bytes":
      return decodeBytes(given);
    case "any":
      return { ok: true, value: given };
  }
}

function decodeQuantity(given: Json): ScalarResult {
  if (typeof given !== "string" && typeof given !== "number") return { ok: false, message: QUANTITY_MESSAGE };
  const value = canonicalQuantity(String(given).trim());
  return value === undefined ? { ok: false, message: QUANTITY_MESSAGE } : { ok: true, value };
}

function decodeTime(given: Json, micro: boolean): ScalarResult {
  if (typeof given !== "string") return { ok: false };
  const value = canonicalTime(given, micro);
  if (value !== undefined) return { ok: true, value };
  const layout = micro ? "2006-01-02T15:04:05.000000Z07:00" : "2006-01-02T15:04:05Z07:00";
  // If only the fraction of the time is wrong, the message says so.
  const fraction = micro && canonicalTime(given, false) !== undefined ? given.slice(19) : undefined;
  const why =
    fraction === undefined ? `${JSON.stringify(given)} as "2006"` : `${JSON.stringify(fraction)} as ".000000"`;
  return {
    ok: false,
    message: `parsing time ${JSON.stringify(given)} as ${JSON.stringify(layout)}: cannot parse ${why}`,
  };
}

function decodeBytes(given: Json): ScalarResult {
  if (typeof given !== "string") return { ok: false };
  const text = given.replaceAll(/[\r\n]/g, "");
  if (BASE64.test(text) && text.length % 4 === 0) return { ok: true, value: text };
  const bad = text.search(/[^A-Za-z0-9+/=]/);
  const at = bad === -1 ? text.length - (text.length % 4) : bad;
  return { ok: false, message: `illegal base64 data at input byte ${at}` };
}
