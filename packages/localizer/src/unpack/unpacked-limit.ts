import type { Limits } from "../config/localizer-config.ts";
import { ArchiveFault } from "./archive-entry.ts";

const FREE_BYTES = 1024 * 1024;

/** Counts the bytes that come out of an archive, and throws an ArchiveFault if there are too many. */
export function unpackedLimit(packedBytes: number, limits: Limits): (bytes: number) => void {
  const { maxUnpackedBytes, maxRatio } = limits;
  let unpacked = 0;
  return (bytes) => {
    unpacked += bytes;
    if (unpacked > maxUnpackedBytes) {
      throw new ArchiveFault(`it unpacks to more than ${maxUnpackedBytes} bytes (limits.maxUnpackedBytes)`);
    }
    if (unpacked > FREE_BYTES + packedBytes * maxRatio) {
      throw new ArchiveFault(`it unpacks to more than ${maxRatio} times its size (limits.maxRatio)`);
    }
  };
}
