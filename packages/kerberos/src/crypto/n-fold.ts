/**
 * Stretches or folds bytes to a size so that each of them has an effect (RFC 3961, section 5.1): copies of them, each turned
 * right by 13 bits more than the one before, are added up in ones' complement.
 */
export function nFold(input: Uint8Array, size: number): Buffer {
  const total = leastCommonMultiple(input.length, size);
  const sums = Array.from({ length: size }, () => 0);
  for (let at = 0; at < total; at++) {
    sums[at % size] = (sums[at % size] ?? 0) + turnedByte(input, at);
  }
  return withCarries(sums);
}

/** A byte of the row of turned copies. */
function turnedByte(input: Uint8Array, at: number): number {
  const bits = input.length * 8;
  const copy = Math.floor(at / input.length);
  const first = (at % input.length) * 8 - 13 * copy;
  let byte = 0;
  for (let bit = 0; bit < 8; bit++) {
    const position = (((first + bit) % bits) + bits) % bits;
    byte = (byte << 1) | (((input[position >> 3] ?? 0) >> (7 - (position & 7))) & 1);
  }
  return byte;
}

/** Bytes of sums. If a sum does not fit into the first byte, the rest is added to the last one. */
function withCarries(sums: readonly number[]): Buffer {
  const bytes = [...sums];
  let carry = 0;
  do {
    for (let at = bytes.length - 1; at >= 0; at--) {
      const sum = (bytes[at] ?? 0) + carry;
      bytes[at] = sum & 0xff;
      carry = sum >> 8;
    }
  } while (carry > 0);
  return Buffer.from(bytes);
}

function leastCommonMultiple(a: number, b: number): number {
  let multiple = a;
  while (multiple % b !== 0) multiple += a;
  return multiple;
}
