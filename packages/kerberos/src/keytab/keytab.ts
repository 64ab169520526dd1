import { BytesReader } from "../ticket/bytes-reader.ts";
import { NAME_TYPE, type Principal } from "../ticket/principal.ts";
import type { SessionKey } from "../ticket/ticket.ts";

/** A key of a principal. */
export interface KeytabEntry {
  readonly principal: Principal;
  /** The number of the key: a principal's newest key has the highest. */
  readonly version: number;
  readonly key: SessionKey;
}

/** A file that is no keytab, or one of a kind that is not read. */
export class KeytabError extends Error {}

/**
 * Reads a keytab (MIT, "Keytab file format"), of version 2. Older ones have the byte order of the machine that wrote them.
 *
 * @throws KeytabError
 */
export function parseKeytab(bytes: Buffer): KeytabEntry[] {
  if (bytes[0] !== 5 || bytes[1] !== 2) throw new KeytabError("it is no keytab");
  const reader = new BytesReader(bytes, 2);
  const found: KeytabEntry[] = [];
  try {
    while (!reader.isAtEnd()) {
      const size = reader.int32();
      // Space that an entry has left which was removed.
      if (size <= 0) reader.take(-size);
      else found.push(readEntry(new BytesReader(reader.take(size), 0)));
    }
    return found;
  } catch (error) {
    if (error instanceof RangeError) throw new KeytabError("it ends in the middle of a key");
    throw error;
  }
}

function readEntry(reader: BytesReader): KeytabEntry {
  const count = reader.uint16();
  const realm = reader.shortData().toString("utf8");
  const parts = Array.from({ length: count }, () => reader.shortData().toString("utf8"));
  const type = reader.uint32();
  // The time at which the key was written.
  reader.take(4);
  const [short = 0] = reader.take(1);
  const key = { type: reader.uint16(), value: reader.shortData() };
  // A version of more than 8 bits stands behind the key.
  const long = reader.left >= 4 ? reader.uint32() : 0;
  return { principal: { type, parts, realm }, version: long === 0 ? short : long, key };
}

/** Reads a principal's name, also one without a realm. What separates may be escaped (MIT, krb5_parse_name). */
export function parsePrincipal(text: string, defaultRealm: string | undefined): Principal | undefined {
  const match = /^((?:[^@\\]|\\.)+?)(?:@((?:[^@/\\]|\\.)+))?$/s.exec(text.trim());
  const realm = match?.[2] ?? defaultRealm;
  if (match === null || realm === undefined) return undefined;
  const parts = (match[1] ?? "").match(/(?:[^/\\]|\\.)+/gs) ?? [];
  const plain = (part: string): string => part.replaceAll(/\\(.)/gs, "$1");
  return { type: NAME_TYPE.user, parts: parts.map(plain), realm: plain(realm) };
}
