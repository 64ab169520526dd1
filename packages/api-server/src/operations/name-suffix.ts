import type { Random } from "@kindling/outside";

// Kubernetes leaves out vowels and look-alikes, so that suffixes never spell anything.
const SUFFIX_LETTERS = "bcdfghjklmnpqrstvwxz2456789";

/** The five letters that the server adds to a `generateName`. */
export function nameSuffix(random: Random, length: number = 5): string {
  let suffix = "";
  for (const byte of random.bytes(length)) suffix += SUFFIX_LETTERS.charAt(byte % SUFFIX_LETTERS.length);
  return suffix;
}
