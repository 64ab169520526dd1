import { generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import type { Clock } from "@kindling/outside";
import {
  derBits,
  derBoolean,
  derContext,
  derInteger,
  derOctets,
  derOid,
  derSequence,
  derSet,
  derTime,
  derUtf8,
} from "./write-der.ts";

const DAY = 24 * 3600 * 1000;
const ECDSA_SHA256 = derSequence(derOid("1.2.840.10045.4.3.2"));

/** A certificate with its key, both in PEM. The key is in PKCS #8, and in clear. */
export interface Certificate {
  readonly certificate: string;
  readonly key: string;
}

/** What a certificate says, and who says it. */
export interface Statement {
  /** Distinguished names in DER, made by `distinguishedName`. */
  readonly subject: Buffer;
  readonly issuer: Buffer;
  /** At most 20 bytes, a positive number. */
  readonly serial: Uint8Array;
  readonly publicKey: KeyObject;
  /** Milliseconds since the epoch. */
  readonly validity: readonly [from: number, until: number];
  readonly extensions: readonly Buffer[];
}

/** A new key: ECDSA over P-256. */
export function newKeys(): { readonly publicKey: KeyObject; readonly privateKey: KeyObject } {
  return generateKeyPairSync("ec", { namedCurve: "P-256" });
}

/** A certificate of version 3 in PEM (RFC 5280, section 4.1), signed with the issuer's key, which is of P-256. */
export function signedCertificate(statement: Statement, key: KeyObject): string {
  const { subject, issuer, serial, publicKey, validity, extensions } = statement;
  const body = derSequence(
    derContext(0, derInteger(Buffer.from([2])), true),
    derInteger(serial),
    ECDSA_SHA256,
    issuer,
    derSequence(...validity.map(derTime)),
    subject,
    publicKey.export({ type: "spki", format: "der" }),
    derContext(3, derSequence(...extensions), true),
  );
  return pem("CERTIFICATE", derSequence(body, ECDSA_SHA256, derBits(sign("sha256", body, key))));
}

export function distinguishedName(commonName: string, organizations: readonly string[] = []): Buffer {
  const part = (oid: string, value: string): Buffer => derSet(derSequence(derOid(oid), derUtf8(value)));
  return derSequence(...organizations.map((name) => part("2.5.4.10", name)), part("2.5.4.3", commonName));
}

/** From a day before now, for clocks that are slow, until so many days from now. */
export function validFor(clock: Clock, days: number): Statement["validity"] {
  const now = clock.now();
  return [now - DAY, now + days * DAY];
}

/** The use of a key for signatures alone. */
export const DIGITAL_SIGNATURE: Buffer = extension("2.5.29.15", derBits(Buffer.from([0x80]), 7), true);

export function extension(oid: string, value: Buffer, critical: boolean = false): Buffer {
  return derSequence(derOid(oid), ...(critical ? [derBoolean(true)] : []), derOctets(value));
}

export function keyPem(key: KeyObject): string {
  return key.export({ type: "pkcs8", format: "pem" }).toString();
}

function pem(label: string, content: Buffer): string {
  const lines = content.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`;
}
