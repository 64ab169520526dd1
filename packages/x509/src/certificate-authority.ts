import { createHash, type KeyObject } from "node:crypto";
import { isIP } from "node:net";
import type { Clock, Random } from "@kindling/outside";
import {
  DIGITAL_SIGNATURE,
  distinguishedName,
  extension,
  keyPem,
  newKeys,
  signedCertificate,
  validFor,
  type Certificate,
  type Statement,
} from "./certificate.ts";
import { serialNumber } from "./serial-number.ts";
import { derBits, derBoolean, derContext, derOctets, derOid, derSequence } from "./write-der.ts";

const TEN_YEARS = 3650;
const SERVER = derOid("1.3.6.1.5.5.7.3.1");
const CLIENT = derOid("1.3.6.1.5.5.7.3.2");
const USES = { server: [SERVER], peer: [SERVER, CLIENT], client: [CLIENT] };

/** The owner of a certificate: a server with its addresses, a peer that is also a client, or a client with its name and groups. */
export type CertificateRequest = (
  | { readonly kind: "server" | "peer"; readonly commonName: string; readonly hosts: readonly string[] }
  | { readonly kind: "client"; readonly commonName: string; readonly organizations: readonly string[] }
) & {
  /** Milliseconds since the epoch; without it, ten years from a day before now. */
  readonly validity?: Statement["validity"];
};

/** Issues certificates: ECDSA over P-256. */
export class CertificateAuthority {
  /** The authority's own certificate in PEM. */
  readonly certificate: string;
  /** Its own key in PEM. Who has it can issue certificates, too. */
  readonly key: string;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #key: KeyObject;
  readonly #name: Buffer;
  readonly #keyId: Buffer;

  constructor(clock: Clock, random: Random, commonName: string) {
    this.#clock = clock;
    this.#random = random;
    const { privateKey, publicKey } = newKeys();
    this.#key = privateKey;
    this.key = keyPem(privateKey);
    this.#name = distinguishedName(commonName);
    this.#keyId = createHash("sha1")
      .update(publicKey.export({ type: "spki", format: "der" }))
      .digest();
    this.certificate = this.#sign(this.#name, publicKey, validFor(this.#clock, TEN_YEARS), [
      extension("2.5.29.19", derSequence(derBoolean(true)), true),
      extension("2.5.29.15", derBits(Buffer.from([0x06]), 1), true),
      extension("2.5.29.14", derOctets(this.#keyId)),
    ]);
  }

  /** Issues a certificate with a new key. */
  issue(request: CertificateRequest): Certificate {
    const { privateKey, publicKey } = newKeys();
    const organizations = request.kind === "client" ? request.organizations : [];
    const extensions = [
      DIGITAL_SIGNATURE,
      extension("2.5.29.37", derSequence(...USES[request.kind])),
      extension("2.5.29.35", derSequence(derContext(0, this.#keyId, false))),
    ];
    if (request.kind !== "client")
      extensions.push(extension("2.5.29.17", derSequence(...request.hosts.map(generalName))));
    const subject = distinguishedName(request.commonName, organizations);
    const certificate = this.#sign(
      subject,
      publicKey,
      request.validity ?? validFor(this.#clock, TEN_YEARS),
      extensions,
    );
    return { certificate, key: keyPem(privateKey) };
  }

  #sign(
    subject: Buffer,
    publicKey: KeyObject,
    validity: Statement["validity"],
    extensions: Statement["extensions"],
  ): string {
    const serial = serialNumber(this.#random);
    return signedCertificate({ subject, issuer: this.#name, serial, publicKey, validity, extensions }, this.#key);
  }
}

/** RFC 5280, section 4.2.1.6: a host name has tag 2, an address tag 7. */
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
