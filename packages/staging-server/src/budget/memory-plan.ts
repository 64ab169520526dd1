/** How much memory each part of the server may use, in bytes. */
export interface MemoryPlan {
  /** For data that is kept for clients: leases, uploads, bundles and the names in them. */
  readonly kept: number;
  /** The part of it that one namespace may have. */
  readonly keptPerNamespace: number;
  /** For the cache of manifests. */
  readonly manifests: number;
  /** For documents that are being read, processed or sent, all requests together. */
  readonly documents: number;
  /** The largest document that is read. */
  readonly document: number;
  /** Client connections: each has buffers of its own. */
  readonly connections: number;
}

export interface MemorySettings {
  readonly memory: number | undefined;
  readonly memoryPerNamespace: number | undefined;
  readonly documentMemory: number | undefined;
  readonly bundleFiles: number;
}

const MEBIBYTE = 1024 * 1024;
// Room for a name of usual length, and for the other members of a file.
const BYTES_PER_FILE = 1024;
const DOCUMENT_FRAME = 64 * 1024;
/** How many bytes of memory a document takes for each of its bytes: as received, as text, and as the values in it. */
export const DOCUMENT_WEIGHT = 4;
const MOST_FOR_DOCUMENTS = 256 * MEBIBYTE;
const MOST_FOR_MANIFESTS = 24 * MEBIBYTE;
const MOST_CONNECTIONS = 10_000;
const BYTES_PER_CONNECTION = 64 * 1024;

/** Divides the memory of a process. More than half is left for buffers and for the program itself. Pure. */
export function planMemory(limit: number, settings: MemorySettings): MemoryPlan {
  const largest = DOCUMENT_FRAME + settings.bundleFiles * BYTES_PER_FILE;
  // Twice the largest: one client may have half, and as much is left for others.
  const documents =
    settings.documentMemory ?? Math.min(MOST_FOR_DOCUMENTS, Math.max(limit / 8, 2 * DOCUMENT_WEIGHT * largest));
  const kept = Math.floor(settings.memory ?? limit / 8);
  return {
    kept,
    keptPerNamespace: Math.floor(settings.memoryPerNamespace ?? kept / 4),
    manifests: Math.floor(Math.min(MOST_FOR_MANIFESTS, kept / 2)),
    documents: Math.floor(documents),
    document: Math.floor(Math.min(largest, documents / 2 / DOCUMENT_WEIGHT)),
    connections: Math.floor(Math.min(MOST_CONNECTIONS, limit / BYTES_PER_CONNECTION)),
  };
}
