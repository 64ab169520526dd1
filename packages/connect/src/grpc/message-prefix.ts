/** A message of gRPC begins with a byte that says whether it is compressed, and with its length in four bytes. */
export const PREFIX_BYTES = 5;

/**
 * The beginning of a message that is not compressed.
 *
 * @param length of the message, bytes
 */
export function messagePrefix(length: number): Buffer {
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.writeUInt32BE(length, 1);
  return prefix;
}
