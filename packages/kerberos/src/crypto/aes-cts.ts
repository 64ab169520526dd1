import { createCipheriv, createDecipheriv } from "node:crypto";

const BLOCK = 16;

/** AES in CBC mode with a zero initial vector, of whole blocks. */
export function encryptBlocks(key: Buffer, plain: Buffer): Buffer {
  const cipher = createCipheriv(`aes-${key.length * 8}-cbc`, key, Buffer.alloc(BLOCK)).setAutoPadding(false);
  return Buffer.concat([cipher.update(plain), cipher.final()]);
}

/**
 * AES in CBC mode with ciphertext stealing: the last two blocks change places, and the last one is cut so that the result
 * is as long as the plain text (RFC 3962, section 5; RFC 8009, section 3). At least one block.
 */
export function encryptCts(key: Buffer, plain: Buffer): Buffer {
  const padding = (BLOCK - (plain.length % BLOCK)) % BLOCK;
  const blocks = encryptBlocks(key, Buffer.concat([plain, Buffer.alloc(padding)]));
  if (blocks.length === BLOCK) return blocks;
  const cut = blocks.length - 2 * BLOCK;
  return Buffer.concat([
    blocks.subarray(0, cut),
    blocks.subarray(cut + BLOCK),
    blocks.subarray(cut, cut + BLOCK - padding),
  ]);
}

/** The inverse of {@link encryptCts}. */
export function decryptCts(key: Buffer, sealed: Buffer): Buffer {
  if (sealed.length === BLOCK) return decryptBlocks(key, sealed);
  const last = sealed.length % BLOCK || BLOCK;
  const cut = sealed.length - BLOCK - last;
  const stolen = sealed.subarray(cut + BLOCK);
  // Without the chaining, the block has the rest of the shortened one behind the bytes that were combined with it.
  const tail = decryptBlocks(key, sealed.subarray(cut, cut + BLOCK));
  const shortened = Buffer.concat([stolen, tail.subarray(last)]);
  const before = decryptBlocks(key, Buffer.concat([sealed.subarray(0, cut), shortened]));
  return Buffer.concat([before, exclusiveOr(tail.subarray(0, last), stolen)]);
}

function decryptBlocks(key: Buffer, sealed: Buffer): Buffer {
  const cipher = createDecipheriv(`aes-${key.length * 8}-cbc`, key, Buffer.alloc(BLOCK)).setAutoPadding(false);
  return Buffer.concat([cipher.update(sealed), cipher.final()]);
}

function exclusiveOr(left: Buffer, right: Buffer): Buffer {
  return Buffer.from(left.map((byte, at) => byte ^ (right[at] ?? 0)));
}
