import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { applicationId, uniqueId, type Identifiers } from "@kindling/core-spec";
import type { IdentifierSeed } from "./plan-input.ts";

/** The purpose for the id of an application. */
export const APPLICATION_PURPOSE = "application";

/** The seed of a submission that must happen only once. */
export function seedOf(submissionId: string): IdentifierSeed {
  return { bytes: sha256(utf8ToBytes(submissionId)), epochMillis: undefined };
}

/** Identifiers that are derived from a seed: the same seed and purpose always give the same identifier. */
export function seededIdentifiers({ bytes: seed, epochMillis }: IdentifierSeed): Identifiers {
  const digestOf = (purpose: string): Uint8Array => sha256(concatBytes(seed, utf8ToBytes(purpose)));
  return {
    uniqueId(purpose) {
      const digest = digestOf(purpose);
      const number = digest.subarray(3, 8).reduce((sum, byte) => sum * 256 + byte, 0);
      return uniqueId(digest, epochMillis ?? 2 ** 39 + (number % 2 ** 39));
    },
    uuid(purpose) {
      const digest = digestOf(purpose).slice(0, 16);
      // Version 4, variant 1 (RFC 9562, section 5.4).
      digest.set([((digest[6] ?? 0) & 0x0f) | 0x40], 6);
      digest.set([((digest[8] ?? 0) & 0x3f) | 0x80], 8);
      const hex = bytesToHex(digest);
      return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join("-");
    },
  };
}

/** The id that Spark will give the application of a submission that must happen only once. */
export function applicationIdOf(submissionId: string): string {
  return applicationId(seededIdentifiers(seedOf(submissionId)).uuid(APPLICATION_PURPOSE));
}
