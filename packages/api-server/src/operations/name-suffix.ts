import { randomBytes, randomUUID } from "node:crypto";

/** Randomness, as an argument, so that tests can have the same names each time. */
export interface Random {
  uuid(): string;
  bytes(count: number): Uint8Array;
}

const POOL = 4096;

/** The machine's randomness, fetched in larger pieces than are asked for: each piece is a call of the kernel. */
export function systemRandom(): Random {
  let pool = new Uint8Array(0);
  let used = 0;
  return {
    uuid: () => randomUUID(),
    bytes(count) {
      if (count > POOL) return randomBytes(count);
      if (used + count > pool.length) {
        pool = randomBytes(POOL);
        used = 0;
      }
      used += count;
      return pool.slice(used - count, used);
    },
  };
}

// Kubernetes leaves out vowels and look-alikes, so that suffixes never spell anything.
const SUFFIX_LETTERS = "bcdfghjklmnpqrstvwxz2456789";

/** The five letters that the server adds to a `generateName`. */
export function nameSuffix(random: Random, length: number = 5): string {
  let suffix = "";
  for (const byte of random.bytes(length)) suffix += SUFFIX_LETTERS.charAt(byte % SUFFIX_LETTERS.length);
  return suffix;
}
