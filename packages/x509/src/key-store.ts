import { createHash, createPrivateKey, X509Certificate } from "node:crypto";
import type { Certificate } from "./certificate.ts";
import { der, derContext, derInteger, derOctets, derOid, derSequence, derSet } from "./write-der.ts";

const DATA = derOid("1.2.840.113549.1.7.1");
const ENCRYPTED_KEY_BAG = derOid("1.2.840.113549.1.12.10.1.2");
const CERTIFICATE_BAG = derOid("1.2.840.113549.1.12.10.1.3");
const X509_CERTIFICATE = derOid("1.2.840.113549.1.9.22.1");
const FRIENDLY_NAME = derOid("1.2.840.113549.1.9.20");
const LOCAL_KEY_ID = derOid("1.2.840.113549.1.9.21");

/**
 * A key store for Java: PKCS #12 (RFC 7292) with one key and its certificate. The key is encrypted with the password (AES-256),
 * and the certificate is not. There is no MAC over the whole. Java needs none, and OpenSSL does not read a file without it.
 *
 * @param alias the name of the entry
 */
export function keyStore({ certificate, key }: Certificate, password: string, alias: string): Buffer {
  const encoded = new X509Certificate(certificate).raw;
  const encrypted = createPrivateKey(key).export({
    ...{ type: "pkcs8", format: "der" },
    ...{ cipher: "aes-256-cbc", passphrase: password },
  });
  const attributes = derSet(
    derSequence(FRIENDLY_NAME, derSet(bmpString(alias))),
    derSequence(LOCAL_KEY_ID, derSet(derOctets(createHash("sha1").update(encoded).digest()))),
  );
  const certificateBag = derSequence(
    CERTIFICATE_BAG,
    explicit(derSequence(X509_CERTIFICATE, explicit(derOctets(encoded)))),
    attributes,
  );
  const keyBag = derSequence(ENCRYPTED_KEY_BAG, explicit(encrypted), attributes);
  const safes = derSequence(data(derSequence(certificateBag)), data(derSequence(keyBag)));
  return derSequence(derInteger(Buffer.from([3])), data(safes));
}

/** RFC 2315, section 14: a ContentInfo that holds these bytes as they are. */
function data(content: Buffer): Buffer {
  return derSequence(DATA, explicit(derOctets(content)));
}

function explicit(content: Buffer): Buffer {
  return derContext(0, content, true);
}

/** A text in UTF-16, the most significant byte first. */
function bmpString(text: string): Buffer {
  return der(0x1e, Buffer.from(text, "utf16le").swap16());
}
