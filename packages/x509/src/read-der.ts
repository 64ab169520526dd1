/** Reads ASN.1 values in DER (ITU-T X.690). */

/** A value that was read. */
export interface DerElement {
  readonly tag: number;
  /** With tag and length, as it stands there. */
  readonly raw: Buffer;
  readonly content: Buffer;
}

/** Bytes that are no DER, or not the value that is expected. */
export class DerError extends Error {}

/**
 * The value at the beginning of the bytes. Lengths in more bytes than needed are accepted, as BER has them.
 *
 * @throws DerError
 */
export function readDer(bytes: Buffer): DerElement {
  const [tag, first] = bytes;
  if (tag === undefined || first === undefined) throw new DerError("it ends too early");
  if ((tag & 0x1f) === 0x1f) throw new DerError("a tag of several bytes");
  let length = first;
  let start = 2;
  if (first >= 0x80) {
    const octets = first & 0x7f;
    if (octets === 0 || octets > 4 || bytes.length < 2 + octets) throw new DerError("a length that cannot be read");
    length = bytes.readUIntBE(2, octets);
    start += octets;
  }
  if (start + length > bytes.length) throw new DerError("it ends too early");
  return { tag, raw: bytes.subarray(0, start + length), content: bytes.subarray(start, start + length) };
}

/** The values inside of a value. @throws DerError */
export function derElements(content: Buffer): DerElement[] {
  const found: DerElement[] = [];
  for (let at = 0; at < content.length;) {
    const element = readDer(content.subarray(at));
    found.push(element);
    at += element.raw.length;
  }
  return found;
}

/** The content of a value that has to have this tag. @throws DerError */
export function derContent(bytes: Buffer, tag: number): Buffer {
  const element = readDer(bytes);
  if (element.tag !== tag) throw new DerError(`tag ${element.tag} instead of ${tag}`);
  return element.content;
}
