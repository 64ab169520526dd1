import { createHash, timingSafeEqual } from "node:crypto";
import { readFile } from "node:fs/promises";
import { KindlingError, messageOf } from "@kindling/core-spec";

/** One entry of the access file: a subject, how it is recognised, and what it may do. */
export interface AccessEntry {
  readonly name: string;
  /** SHA-256 of the token, hexadecimal: the file contains no usable secret. */
  readonly tokenSha256?: string;
  /** Common name of the client certificate. */
  readonly certificate?: string;
  /** Namespaces, in which `*` stands for any characters. */
  readonly namespaces: readonly string[];
  readonly admin: boolean;
}

/**
 * Reads an access file: `{"subjects": [{"name", "tokenSha256" | "certificate", "namespaces": [...], "admin"?}]}`.
 *
 * @throws KindlingError `FILE_UNPARSABLE`, naming the file and the subject
 */
export function parseAccessList(text: string, file: string): readonly AccessEntry[] {
  const fail = (what: string): KindlingError =>
    new KindlingError("FILE_UNPARSABLE", `${file}: ${what}`, {
      hint: 'write {"subjects": [{"name": "ci", "tokenSha256": "<sha-256 of the token, hex>", "namespaces": ["team-*"]}]}',
    });
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    // The parser's message would quote the file.
    throw new KindlingError("FILE_UNPARSABLE", `${file} is no JSON`, {
      cause: error instanceof Error ? error.name : "",
    });
  }
  const { subjects } = (document ?? {}) as { subjects?: unknown };
  if (!Array.isArray(subjects)) throw fail("it has no list of subjects");
  return subjects.map((subject: Partial<Record<keyof AccessEntry, unknown>>, index) => {
    const { name, tokenSha256, certificate, namespaces, admin = false } = subject;
    const where = typeof name === "string" ? `subject ${name}` : `subject ${index + 1}`;
    if (typeof name !== "string" || name === "") throw fail(`${where} has no name`);
    if (!Array.isArray(namespaces) || !namespaces.every((each) => typeof each === "string")) {
      throw fail(`${where} has no list of namespaces`);
    }
    if (typeof admin !== "boolean") throw fail(`${where}: admin is neither true nor false`);
    if (typeof tokenSha256 === "string" && /^[0-9a-f]{64}$/.test(tokenSha256)) {
      return { name, tokenSha256, namespaces, admin };
    }
    if (tokenSha256 !== undefined) throw fail(`${where}: tokenSha256 is not 64 lower-case hexadecimal digits`);
    if (typeof certificate === "string" && certificate !== "") return { name, certificate, namespaces, admin };
    throw fail(`${where} has neither tokenSha256 nor certificate`);
  });
}

/**
 * Reads the access file of a service.
 *
 * @throws KindlingError `FILE_UNREADABLE`, `FILE_UNPARSABLE`
 */
export async function readAccessList(path: string): Promise<readonly AccessEntry[]> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    throw new KindlingError("FILE_UNREADABLE", `auth.accessFile: cannot read ${path}: ${messageOf(error)}`, {
      cause: error,
    });
  }
  return parseAccessList(text, path);
}

/** The entry to which this token belongs. */
export function entryOfToken(entries: readonly AccessEntry[], token: string): AccessEntry | undefined {
  const hash = createHash("sha256").update(token).digest();
  let found: AccessEntry | undefined;
  // All entries are compared, so that the time does not reveal which tokens exist.
  for (const entry of entries) {
    const known = Buffer.from(entry.tokenSha256 ?? "", "hex");
    if (known.length === hash.length && timingSafeEqual(known, hash)) found = entry;
  }
  return found;
}

/** The entry with this common name of a certificate; the TLS layer has already checked who signed the certificate. */
export function entryOfCertificate(entries: readonly AccessEntry[], commonName: string): AccessEntry | undefined {
  return entries.find(({ certificate }) => certificate === commonName);
}
