import type { ServerConfig } from "../../config/server-config.ts";

/** The documents that routes take: a few settings, a question about many digests, the files of a bundle. */
export type DocumentKind = "settings" | "digests" | "bundle";

/** How large a document may be. */
export interface DocumentLimit {
  readonly bytes: number;
  /** The number of values in it, of any kind: a few bytes of text can become hundreds of bytes in memory. */
  readonly values: number;
}

export const MOST_DIGESTS = 4096;

// For a digest with its size, and for a file of a bundle. Both allow for members that a newer client may add.
const BYTES_PER_DIGEST = 256;
const VALUES_PER_DIGEST = 12;
const VALUES_PER_FILE = 24;
// An owner with all of the labels that it may have.
const FRAME = { bytes: 64 * 1024, values: 1024 };

/** @param mostBytes the largest document that the memory plan allows */
export function documentLimits(
  config: Pick<ServerConfig, "limits.bundleFiles">,
  mostBytes: number,
): Readonly<Record<DocumentKind, DocumentLimit>> {
  return {
    settings: { bytes: 4 * 1024, values: 128 },
    digests: {
      bytes: Math.min(mostBytes, FRAME.bytes + MOST_DIGESTS * BYTES_PER_DIGEST),
      values: FRAME.values + MOST_DIGESTS * VALUES_PER_DIGEST,
    },
    bundle: { bytes: mostBytes, values: FRAME.values + config["limits.bundleFiles"] * VALUES_PER_FILE },
  };
}
