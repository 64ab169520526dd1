import { generateKeyPairSync, randomBytes, sign, type KeyObject } from "node:crypto";

/** PEM texts. */
export interface CertificatePem {
  readonly cert: string;
  readonly key: string;
}

export interface IssueOptions {
  /** Host names and addresses; default: this machine. */
  readonly names?: readonly string[];
  readonly expired?: boolean;
}

/** An authority of the test's own. Node checks certificates but does not make them, so they are put together here. */
export interface TestAuthority {
  readonly cert: string;
  issue(name: string, options?: IssueOptions): CertificatePem;
}

const DAY = 86_400_000;

export function testAuthority(name: string): TestAuthority {
  const keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const now = Date.now();
  const isAuthority = sequence(
    oid(2, 5, 29, 19),
    der(0x01, Buffer.from([0xff])),
    der(0x04, sequence(der(0x01, Buffer.from([0xff])))),
  );
  return {
    cert: certificate(name, name, keys.publicKey, now + 2 * DAY, isAuthority, keys.privateKey),
    issue(subject, { names = ["127.0.0.1", "localhost"], expired = false } = {}) {
      const own = generateKeyPairSync("ec", { namedCurve: "P-256" });
      const alternatives = sequence(oid(2, 5, 29, 17), der(0x04, sequence(...names.map(generalName))));
      const end = expired ? now - DAY : now + DAY;
      return {
        cert: certificate(subject, name, own.publicKey, end, alternatives, keys.privateKey),
        key: own.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
      };
    },
  };
}

/** RFC 5280, 4.1. */
function certificate(
  subject: string,
  issuer: string,
  key: KeyObject,
  end: number,
  extension: Buffer,
  signer: KeyObject,
): string {
  const algorithm = sequence(oid(1, 2, 840, 10045, 4, 3, 2));
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    commonName(issuer),
    sequence(time(end - 4 * DAY), time(end)),
    commonName(subject),
    key.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(extension)),
  );
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign("sha256", body, signer)]));
  const text = sequence(body, algorithm, signature)
    .toString("base64")
    .match(/.{1,64}/g)
    ?.join("\n");
  return `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`;
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  if (length < 128) return Buffer.concat([Buffer.from([tag, length]), content]);
  const bytes = length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...bytes]), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function oid(first: number, second: number, ...rest: readonly number[]): Buffer {
  const bytes = rest.flatMap((number) => {
    const digits = [number & 0x7f];
    for (let left = number >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80);
    return digits;
  });
  return der(0x06, Buffer.from([first * 40 + second, ...bytes]));
}

function commonName(name: string): Buffer {
  return sequence(der(0x31, sequence(oid(2, 5, 4, 3), der(0x0c, Buffer.from(name)))));
}

function time(milliseconds: number): Buffer {
  const text = new Date(milliseconds).toISOString().replace(/[-:T]|\.\d+/g, "");
  return der(0x18, Buffer.from(text));
}

/** An address is tag 7, a host name tag 2 (RFC 5280, 4.2.1.6). */
function generalName(name: string): Buffer {
  const isAddress = /^\d+(\.\d+){3}$/.test(name);
  return isAddress ? der(0x87, Buffer.from(name.split(".").map(Number))) : der(0x82, Buffer.from(name));
}
