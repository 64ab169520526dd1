import { createDecipheriv, pbkdf2Sync } from "node:crypto";
import { derContent, derElements, DerError, type DerElement } from "./read-der.ts";
import { TrustStoreError } from "./trust-store-error.ts";
import { derOid } from "./write-der.ts";

const SEQUENCE = 0x30;
const INTEGER = 0x02;
const OCTETS = 0x04;
const CONTEXT_0 = 0xa0;
const IMPLICIT_0 = 0x80;

/** The content of an object identifier as a key. */
function oid(dotted: string): string {
  return derOid(dotted).subarray(2).toString("hex");
}

const DATA = oid("1.2.840.113549.1.7.1");
const ENCRYPTED_DATA = oid("1.2.840.113549.1.7.6");
const CERTIFICATE_BAG = oid("1.2.840.113549.1.12.10.1.3");
const X509_CERTIFICATE = oid("1.2.840.113549.1.9.22.1");
const PBES2 = oid("1.2.840.113549.1.5.13");
const PBKDF2 = oid("1.2.840.113549.1.5.12");
// What Java up to 8u300 and OpenSSL up to 1.1 encrypt certificates with; neither cipher is in Node any more.
const OLD_WAYS: Readonly<Record<string, string>> = {
  [oid("1.2.840.113549.1.12.1.6")]: "RC2",
  [oid("1.2.840.113549.1.12.1.3")]: "triple DES",
};

const DIGESTS: Readonly<Record<string, string>> = {
  [oid("1.2.840.113549.2.7")]: "sha1",
  [oid("1.2.840.113549.2.9")]: "sha256",
  [oid("1.2.840.113549.2.10")]: "sha384",
  [oid("1.2.840.113549.2.11")]: "sha512",
};

const CIPHERS: Readonly<Record<string, readonly [name: string, keyLength: number]>> = {
  [oid("2.16.840.1.101.3.4.1.2")]: ["aes-128-cbc", 16],
  [oid("2.16.840.1.101.3.4.1.22")]: ["aes-192-cbc", 24],
  [oid("2.16.840.1.101.3.4.1.42")]: ["aes-256-cbc", 32],
};

// A file that asks for more would keep the process busy for minutes. Java's default is 10,000.
const MOST_ITERATIONS = 5_000_000;

/**
 * The certificates of a PKCS #12 (RFC 7292, section 4) in DER. The MAC over the whole is not checked: somebody who can change
 * the file can also change what names it.
 *
 * @throws DerError for bytes that are none, TrustStoreError
 */
export function pkcs12Certificates(bytes: Buffer, password: string | undefined): Buffer[] {
  const [, authenticated] = derElements(derContent(bytes, SEQUENCE));
  const safes = derContent(contentOf(authenticated, DATA), OCTETS);
  return derElements(derContent(safes, SEQUENCE)).flatMap((info) => {
    const [type] = derElements(info.content);
    const content =
      type?.content.toString("hex") === ENCRYPTED_DATA
        ? decrypted(contentOf(info, ENCRYPTED_DATA), password)
        : derContent(contentOf(info, DATA), OCTETS);
    return derElements(derContent(content, SEQUENCE)).flatMap(certificateIn);
  });
}

/** What a ContentInfo of this type, or a bag, holds (RFC 5652, section 3). */
function contentOf(info: DerElement | undefined, type: string): Buffer {
  const [found, value] = derElements(info?.content ?? Buffer.alloc(0));
  if (found?.content.toString("hex") !== type || value === undefined) throw new DerError("content of another type");
  return derContent(value.raw, CONTEXT_0);
}

function certificateIn(bag: DerElement): Buffer[] {
  const [type, value] = derElements(bag.content);
  if (type?.content.toString("hex") !== CERTIFICATE_BAG || value === undefined) return [];
  const [kind, certificate] = derElements(derContent(derContent(value.raw, CONTEXT_0), SEQUENCE));
  if (kind?.content.toString("hex") !== X509_CERTIFICATE || certificate === undefined) return [];
  return [derContent(derContent(certificate.raw, CONTEXT_0), OCTETS)];
}

/** RFC 5652, section 8: EncryptedData with one EncryptedContentInfo. */
function decrypted(encryptedData: Buffer, password: string | undefined): Buffer {
  if (password === undefined) throw new TrustStoreError("its certificates are encrypted, and no password is given");
  const [, info] = derElements(derContent(encryptedData, SEQUENCE));
  const [, algorithm, sealed] = derElements(info?.content ?? Buffer.alloc(0));
  if (sealed?.tag !== IMPLICIT_0) throw new DerError("encrypted content in pieces");
  const { cipher, key, iv } = keyOf(algorithm, password);
  try {
    const decipher = createDecipheriv(cipher, key, iv);
    return Buffer.concat([decipher.update(sealed.content), decipher.final()]);
  } catch (error) {
    throw new TrustStoreError("the password is not the store's", { cause: error });
  }
}

interface ContentKey {
  readonly cipher: string;
  readonly key: Buffer;
  readonly iv: Buffer;
}

/** PBES2 with PBKDF2 and AES (RFC 8018, sections 6.2 and A.4), as Java 8u301 and later, and OpenSSL 3 write it. */
function keyOf(algorithm: DerElement | undefined, password: string): ContentKey {
  const [scheme, parameters] = derElements(algorithm?.content ?? Buffer.alloc(0));
  const name = scheme?.content.toString("hex") ?? "";
  if (name !== PBES2) {
    throw new TrustStoreError(
      `its certificates are encrypted with ${OLD_WAYS[name] ?? "something unknown"}, which Node cannot read; make it anew with keytool -importkeystore of Java 11.0.12 or later, or as a file in PEM`,
    );
  }
  const [derivation, encryption] = derElements(parameters?.content ?? Buffer.alloc(0));
  const [kdf, settings] = derElements(derivation?.content ?? Buffer.alloc(0));
  const [cipherName, iv] = derElements(encryption?.content ?? Buffer.alloc(0));
  const [cipher, keyLength] = CIPHERS[cipherName?.content.toString("hex") ?? ""] ?? [];
  const [salt, iterations, ...more] = derElements(settings?.content ?? Buffer.alloc(0));
  // The length of the key may stand between; HMAC-SHA-1 is the default.
  const digest = more.find(({ tag }) => tag === SEQUENCE);
  const [digestName] = derElements(digest?.content ?? Buffer.alloc(0));
  const hash = digestName === undefined ? "sha1" : DIGESTS[digestName.content.toString("hex")];
  if (kdf?.content.toString("hex") !== PBKDF2 || cipher === undefined || hash === undefined || iv === undefined) {
    throw new TrustStoreError("its certificates are encrypted in a way that is unknown here");
  }
  const count = numberOf(iterations);
  if (salt?.tag !== OCTETS || count > MOST_ITERATIONS) throw new DerError("parameters that cannot be used");
  return { cipher, key: pbkdf2Sync(password, salt.content, count, keyLength ?? 0, hash), iv: iv.content };
}

function numberOf(element: DerElement | undefined): number {
  if (element?.tag !== INTEGER || element.content.length === 0 || element.content.length > 6) {
    throw new DerError("a number that cannot be read");
  }
  return element.content.readUIntBE(0, element.content.length);
}
