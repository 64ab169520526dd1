import type { Random } from "@kindling/outside";

/** 127 random bits: a positive number. */
export function serialNumber(random: Random): Uint8Array {
  const bytes = Uint8Array.from(random.bytes(16));
  bytes[0] = (bytes[0] ?? 0) & 0x7f;
  return bytes;
}
