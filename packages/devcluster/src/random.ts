import { randomBytes, randomUUID } from "node:crypto";

/** Randomness, as an argument, so that tests can have the same names each time. */
export interface Random {
  uuid(): string;
  bytes(count: number): Uint8Array;
}

export const systemRandom: Random = {
  uuid: () => randomUUID(),
  bytes: (count) => randomBytes(count),
};

// Kubernetes leaves out vowels and look-alikes, so that suffixes never spell anything.
const SUFFIX_LETTERS = "bcdfghjklmnpqrstvwxz2456789";

/** The five letters that the server adds to a `generateName`. */
export function nameSuffix(random: Random, length: number = 5): string {
  return [...random.bytes(length)].map((byte) => SUFFIX_LETTERS.charAt(byte % SUFFIX_LETTERS.length)).join("");
}
