/*
 * The four forms of structured fields (RFC 9651) that the protocol uses. A field in another form than the requested one
 * is read as `undefined`: the drafts demand to ignore such a field as a whole.
 */

import { digestHex, digestOfHash, type Digest } from "./digest.ts";

// RFC 9651, 3.3.1: at most 15 digits, so that every value is exact in a double.
const INTEGER = /^-?\d{1,15}$/;

/** An Item that is a Boolean: `?1` or `?0`. */
export function parseBoolean(field: string | undefined): boolean | undefined {
  const text = field?.trim();
  return text === "?1" ? true : text === "?0" ? false : undefined;
}

export function formatBoolean(value: boolean): string {
  return value ? "?1" : "?0";
}

/** An Item that is a non-negative Integer, such as `Upload-Offset`. */
export function parseSize(field: string | undefined): number | undefined {
  const text = field?.trim();
  if (text === undefined || !INTEGER.test(text) || text.startsWith("-")) return undefined;
  return Number(text);
}

/** A Dictionary of Integers, such as `Upload-Limit`; members of other types are left out. */
export function parseIntegerDictionary(field: string | undefined): ReadonlyMap<string, number> {
  const members = new Map<string, number>();
  for (const member of (field ?? "").split(",")) {
    const [, key, value] = /^\s*([a-z*][a-z0-9_.*-]*)=(-?\d{1,15})\s*$/.exec(member) ?? [];
    if (key !== undefined && value !== undefined) members.set(key, Number(value));
  }
  return members;
}

export function formatIntegerDictionary(members: Readonly<Record<string, number>>): string {
  return Object.entries(members)
    .map(([key, value]) => `${key}=${value}`)
    .join(", ");
}

/**
 * The SHA-256 member of `Repr-Digest` or `Content-Digest` (RFC 9530). Other algorithms are ignored: of the registered
 * ones only SHA-2 protects against tampering, and the protocol needs SHA-256.
 *
 * @returns `undefined` if there is no well-formed `sha-256` member
 */
export function parseDigestField(field: string | undefined): Digest | undefined {
  for (const member of (field ?? "").split(",")) {
    const [, base64] = /^\s*sha-256=:([A-Za-z0-9+/]{43}=):\s*$/.exec(member) ?? [];
    if (base64 !== undefined) return digestOfHash(Buffer.from(base64, "base64"));
  }
  return undefined;
}

/** A digest in the form of `Repr-Digest` or `Content-Digest`. */
export function formatDigestField(digest: Digest): string {
  return `sha-256=:${Buffer.from(digestHex(digest), "hex").toString("base64")}:`;
}
