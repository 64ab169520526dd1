import { type Field, type Fields, STATIC_TABLE } from "./static-table.ts";

const INDEXED = 0x80;
const LITERAL = 0x00;
/** No one on the way may keep such a value in a table, from where it could be guessed (RFC 7541, 7.1.3). */
const NEVER_INDEXED = 0x10;
const SECRET: ReadonlySet<string> = new Set(["authorization", "cookie"]);
/** The most bytes of an integer here, so that a block's size is known before. */
const INTEGER_BYTES = 6;

const NAMES = new Map<string, number>();
const WHOLE = new Map<string, number>();
for (const [index, [name, value]] of STATIC_TABLE.entries()) {
  if (!NAMES.has(name)) NAMES.set(name, index + 1);
  WHOLE.set(`${name}\0${value}`, index + 1);
}

/**
 * Encodes headers without a table of the connection's own: each is a number that everybody knows, or text as it is
 * (RFC 7541, 6.1 to 6.2.3). So a block says the same on every connection, and nobody's header is kept for somebody else's call.
 */
export function encodeFields(fields: Fields): Buffer {
  const block = Buffer.allocUnsafe(
    fields.reduce((size, [name, value]) => size + name.length + value.length + 3 * INTEGER_BYTES, 0),
  );
  return block.subarray(
    0,
    fields.reduce((at, field) => writeField(block, at, field), 0),
  );
}

/** @returns where the next one begins */
function writeField(block: Buffer, at: number, [name, value]: Field): number {
  const whole = WHOLE.get(`${name}\0${value}`);
  if (whole !== undefined) return writeInteger(block, at, INDEXED, 7, whole);
  const known = NAMES.get(name) ?? 0;
  const valueAt = writeInteger(block, at, SECRET.has(name) ? NEVER_INDEXED : LITERAL, 4, known);
  return writeText(block, known === 0 ? writeText(block, valueAt, name) : valueAt, value);
}

function writeText(block: Buffer, at: number, text: string): number {
  const textAt = writeInteger(block, at, 0, 7, text.length);
  return textAt + block.write(text, textAt, "latin1");
}

function writeInteger(block: Buffer, start: number, bits: number, prefix: number, value: number): number {
  const most = 2 ** prefix - 1;
  let at = start;
  if (value < most) {
    block[at] = bits | value;
    return at + 1;
  }
  block[at] = bits | most;
  at += 1;
  let left = value - most;
  for (; left >= 128; left = Math.floor(left / 128)) {
    block[at] = 128 | (left % 128);
    at += 1;
  }
  block[at] = left;
  return at + 1;
}
