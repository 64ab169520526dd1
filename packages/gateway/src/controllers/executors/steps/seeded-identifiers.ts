import { createHash } from "node:crypto";
import type { Identifiers } from "@kindling/core-spec";

/**
 * Identifiers of one executor: the same seed and purpose always give the same one.
 *
 * @param seed a text that is unique for the executor
 */
export function seededIdentifiers(seed: string): Identifiers {
  const digestOf = (purpose: string): Buffer => createHash("sha256").update(`${seed}\n${purpose}`).digest();
  return {
    uniqueId: (purpose) => digestOf(purpose).toString("hex").slice(0, 16),
    uuid(purpose) {
      const digest = digestOf(purpose).subarray(0, 16);
      // Version 4, variant 1 (RFC 9562, section 5.4).
      digest.set([((digest[6] ?? 0) & 0x0f) | 0x40], 6);
      digest.set([((digest[8] ?? 0) & 0x3f) | 0x80], 8);
      const hex = digest.toString("hex");
      return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
    },
  };
}
