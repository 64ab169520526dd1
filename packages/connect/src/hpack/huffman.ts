import { HpackError } from "./hpack-error.ts";

/** How many bits the code of each byte has (RFC 7541, appendix B). */
const LENGTHS: readonly number[] = [
  13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28,
  28, 28, 28, 6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10,
  13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6, 15, 5, 6, 5, 6,
  5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, 6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28, 20, 22, 20, 20, 22, 22, 22, 23,
  22, 23, 23, 23, 23, 23, 24, 23, 24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24, 22, 21, 20, 22, 22,
  23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23, 26, 26,
  20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25, 19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27,
  27, 20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23, 26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27,
  27, 27, 27, 26,
];
/** The end of a text. Only its first bits are ever sent. */
const END = 256;
const END_LENGTH = 30;
const MOST_PADDING_BITS = 7;

/** Two entries for each node, one for each bit: another node, or `-1 - symbol`. The root is node 0, which nothing leads to. */
const TREE = treeOf([...LENGTHS, END_LENGTH]);

/** The code is canonical: the codes of one length follow each other in the order of their symbols, so the lengths say all. */
function treeOf(lengths: readonly number[]): Int16Array {
  const tree = new Int16Array(lengths.length * 2);
  let nodes = 1;
  const symbols = lengths.map((length, symbol) => ({ length, symbol }));
  symbols.sort((one, other) => one.length - other.length || one.symbol - other.symbol);
  let code = 0;
  let codeLength = 0;
  for (const { length, symbol } of symbols) {
    code <<= length - codeLength;
    codeLength = length;
    let node = 0;
    for (let bit = length - 1; bit > 0; bit -= 1) {
      const at = 2 * node + ((code >> bit) & 1);
      if (tree[at] === 0) {
        tree[at] = nodes;
        nodes += 1;
      }
      node = tree[at] ?? 0;
    }
    tree[2 * node + (code & 1)] = -1 - symbol;
    code += 1;
  }
  return tree;
}

/**
 * Decodes a text in Huffman's code, to one character for each byte.
 *
 * @throws HpackError
 */
export function decodeHuffman(bytes: Buffer): string {
  const decoded = Buffer.allocUnsafe(Math.ceil((bytes.length * 8) / 5));
  let length = 0;
  let node = 0;
  // Of a code that has not ended: how many bits, and whether all of them are ones.
  let open = 0;
  let isPadding = true;
  for (const byte of bytes) {
    for (let bit = 7; bit >= 0; bit -= 1) {
      const value = (byte >> bit) & 1;
      const next = TREE[2 * node + value] ?? 0;
      open += 1;
      isPadding &&= value === 1;
      if (next >= 0) {
        node = next;
        continue;
      }
      const symbol = -1 - next;
      if (symbol === END) throw new HpackError("a header's text has the end of Huffman's code in it");
      decoded[length] = symbol;
      length += 1;
      node = 0;
      open = 0;
      isPadding = true;
    }
  }
  if (open > MOST_PADDING_BITS || !isPadding) throw new HpackError("a header's text does not end with a whole code");
  return decoded.toString("latin1", 0, length);
}
