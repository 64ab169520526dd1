import { type KeyObject, createHash, generateKeyPairSync, sign } from "node:crypto";
import { isIP } from "node:net";
import type { Clock } from "@kindling/outside";
import type { Random } from "@kindling/outside";
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
} from "./der.ts";

const DAY = 24 * 3600 * 1000;
const ECDSA_SHA256 = derSequence(derOid("1.2.840.10045.4.3.2"));

/** A certificate with its key, both in PEM. */
export interface Certificate {
  readonly certificate: string;
  readonly key: string;
}

/** The owner of a certificate: a server with its addresses, or a client with its name and groups. */
export type CertificateRequest =
  | { readonly kind: "server"; readonly commonName: string; readonly hosts: readonly string[] }
  | { readonly kind: "client"; readonly commonName: string; readonly organizations: readonly string[] };

/** Issues the certificates of a cluster: ECDSA over P-256, valid for ten years. */
export class CertificateAuthority {
  /** The authority's own certificate in PEM. */
  readonly certificate: string;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #key: KeyObject;
  readonly #name: Buffer;
  readonly #keyId: Buffer;

  constructor(clock: Clock, random: Random, commonName: string) {
    this.#clock = clock;
    this.#random = random;
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    this.#key = privateKey;
    this.#name = distinguishedName(commonName, []);
    const publicDer = publicKey.export({ type: "spki", format: "der" });
    this.#keyId = keyIdentifier(publicDer);
    this.certificate = this.#issue(this.#name, publicDer, [
      extension("2.5.29.19", derSequence(derBoolean(true)), true),
      extension("2.5.29.15", derBits(Buffer.from([0x06]), 1), true),
      extension("2.5.29.14", derOctets(this.#keyId)),
    ]);
  }

  /** Issues a certificate with a new key. */
  issue(request: CertificateRequest): Certificate {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const organizations = request.kind === "client" ? request.organizations : [];
    const usage = request.kind === "server" ? "1.3.6.1.5.5.7.3.1" : "1.3.6.1.5.5.7.3.2";
    const extensions = [
      extension("2.5.29.15", derBits(Buffer.from([0x80]), 7), true),
      extension("2.5.29.37", derSequence(derOid(usage))),
      extension("2.5.29.35", derSequence(derContext(0, this.#keyId, false))),
    ];
    if (request.kind === "server")
      extensions.push(extension("2.5.29.17", derSequence(...request.hosts.map(generalName))));
    const certificate = this.#issue(
      distinguishedName(request.commonName, organizations),
      publicKey.export({ type: "spki", format: "der" }),
      extensions,
    );
    return { certificate, key: privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
  }

  #issue(subject: Buffer, publicKey: Buffer, extensions: readonly Buffer[]): string {
    const now = this.#clock.now();
    const content = derSequence(
      derContext(0, derInteger(Buffer.from([2])), true),
      derInteger(serialNumber(this.#random)),
      ECDSA_SHA256,
      this.#name,
      // Valid from a day before, for clocks that are slow.
      derSequence(derTime(now - DAY), derTime(now + 3650 * DAY)),
      subject,
      publicKey,
      derContext(3, derSequence(...extensions), true),
    );
    const signature = sign("sha256", content, this.#key);
    return pem("CERTIFICATE", derSequence(content, ECDSA_SHA256, derBits(signature)));
  }
}

function serialNumber(random: Random): Uint8Array {
  const bytes = Uint8Array.from(random.bytes(16));
  bytes[0] = (bytes[0] ?? 0) & 0x7f;
  return bytes;
}

function distinguishedName(commonName: string, organizations: readonly string[]): Buffer {
  const part = (oid: string, value: string): Buffer => derSet(derSequence(derOid(oid), derUtf8(value)));
  return derSequence(...organizations.map((name) => part("2.5.4.10", name)), part("2.5.4.3", commonName));
}

function keyIdentifier(publicKey: Buffer): Buffer {
  return createHash("sha1").update(publicKey).digest();
}

function extension(oid: string, value: Buffer, critical: boolean = false): Buffer {
  return derSequence(derOid(oid), ...(critical ? [derBoolean(true)] : []), derOctets(value));
}

function generalName(host: string): Buffer {
  const family = isIP(host);
  if (family === 0) return derContext(2, Buffer.from(host), false);
  return derContext(7, family === 4 ? Buffer.from(host.split(".").map(Number)) : ipv6Bytes(host), false);
}

function ipv6Bytes(address: string): Buffer {
  const [head = "", tail] = address.split("::");
  const groups = (text: string): number[] => (text === "" ? [] : text.split(":").map((part) => parseInt(part, 16)));
  const [before, after] = [groups(head), groups(tail ?? "")];
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => 0);
  return Buffer.from([...before, ...zeros, ...after].flatMap((group) => [group >> 8, group & 0xff]));
}

function pem(label: string, content: Buffer): string {
  const lines = content.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`;
}
