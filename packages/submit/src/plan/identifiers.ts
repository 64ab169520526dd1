import { createHash } from "node:crypto";
import { uniqueId, type Identifiers } from "@kindling/core-spec";

/**
 * Identifiers that follow from a seed: the same seed and purpose always give the same one.
 *
 * @param seed random bytes or, for a submission that must happen once only, a hash of its id
 * @param epochMillis the time to put into unique ids; where it must not matter, the seed's own bytes stand in for it
 */
export function seededIdentifiers(seed: Uint8Array, epochMillis: number | undefined): Identifiers {
  const bytes = (purpose: string): Buffer => createHash("sha256").update(seed).update(purpose).digest();
  return {
    uniqueId(purpose) {
      const digest = bytes(purpose);
      return uniqueId(digest, epochMillis ?? 2 ** 39 + (digest.readUIntBE(3, 5) % 2 ** 39));
    },
    uuid(purpose) {
      const digest = bytes(purpose);
      // Version 4, variant 1 (RFC 9562, section 5.4).
      digest.writeUInt8((digest.readUInt8(6) & 0x0f) | 0x40, 6);
      digest.writeUInt8((digest.readUInt8(8) & 0x3f) | 0x80, 8);
      const hex = digest.toString("hex");
      return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join("-");
    },
  };
}
