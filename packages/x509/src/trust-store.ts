import { createHash, X509Certificate } from "node:crypto";
import { DerError } from "./read-der.ts";
import { pkcs12Certificates } from "./pkcs12-certificates.ts";
import { TrustStoreError } from "./trust-store-error.ts";

// The first bytes of Java's own forms of stores (JavaKeyStore.MAGIC, JceKeyStore.JCEKS_MAGIC).
const JKS = 0xfeedfeed;
const JCEKS = 0xcececece;
const SEQUENCE = 0x30;

/** The digest at a JKS' end, over the password, these words and all bytes before (JavaKeyStore.getPreKeyedHash). */
const WHITENER = "Mighty Aphrodite";
const DIGEST_BYTES = 20;

/**
 * The certificates in a trust store of Java, in PEM: of the forms PKCS #12 and JKS, as its bytes tell; also a file in PEM
 * itself. Keys in it are not read.
 *
 * @param password of the store. A JKS can be read without; a PKCS #12 can if its certificates are not encrypted
 * @throws TrustStoreError
 */
export function trustedCertificates(bytes: Buffer, password: string | undefined): string[] {
  const found = encodedCertificates(bytes, password);
  if (found.length === 0) throw new TrustStoreError("it has no certificate");
  try {
    return found.map((each) => new X509Certificate(each).toString());
  } catch (error) {
    throw new TrustStoreError("it has a certificate that cannot be read", { cause: error });
  }
}

function encodedCertificates(bytes: Buffer, password: string | undefined): readonly (Buffer | string)[] {
  const magic = bytes.length < 4 ? 0 : bytes.readUInt32BE();
  if (magic === JKS || magic === JCEKS) return jksCertificates(bytes, password);
  const pem = bytes.toString("latin1").match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
  if (pem !== null) return pem;
  if (bytes[0] !== SEQUENCE) throw new TrustStoreError("it is no trust store: PKCS #12, JKS and PEM can be read");
  try {
    return pkcs12Certificates(bytes, password);
  } catch (error) {
    if (!(error instanceof DerError)) throw error;
    throw new TrustStoreError("it is no PKCS #12 that can be read", { cause: error });
  }
}

function jksCertificates(bytes: Buffer, password: string | undefined): Buffer[] {
  const content = bytes.subarray(0, -DIGEST_BYTES);
  if (password !== undefined) {
    const keyed = createHash("sha1").update(Buffer.from(password, "utf16le").swap16()).update(WHITENER);
    if (!keyed.update(content).digest().equals(bytes.subarray(-DIGEST_BYTES))) {
      throw new TrustStoreError("the password is not the store's, or the file was changed");
    }
  }
  try {
    return new JksReader(content).certificates();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new TrustStoreError("it ends too early", { cause: error });
  }
}

/** JavaKeyStore.engineLoad: numbers have their highest byte first. Throws a RangeError at the end of the bytes. */
class JksReader {
  readonly #bytes: Buffer;
  #at = 4;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  certificates(): Buffer[] {
    const version = this.#number();
    const found: Buffer[] = [];
    for (let left = this.#number(); left > 0; left--) {
      const kind = this.#number();
      // The alias and the date of an entry.
      this.#skip(this.#short());
      this.#skip(8);
      if (kind === 1) {
        this.#skip(this.#number());
        const chain: Buffer[] = [];
        for (let count = this.#number(); count > 0; count--) chain.push(this.#certificate(version));
        // Java trusts the certificate of an own key, and not those that signed it (TrustStoreUtil.getTrustedCerts).
        found.push(...chain.slice(0, 1));
      } else if (kind === 2) found.push(this.#certificate(version));
      else throw new TrustStoreError("it has secret keys; make a store with the certificates alone");
    }
    return found;
  }

  #certificate(version: number): Buffer {
    if (version > 1) this.#skip(this.#short());
    return this.#take(this.#number());
  }

  #number(): number {
    return this.#take(4).readUInt32BE();
  }

  #short(): number {
    return this.#take(2).readUInt16BE();
  }

  #skip(length: number): void {
    this.#take(length);
  }

  #take(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new RangeError("it ends too early");
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }
}
