import type { Random } from "@kindling/outside";
import { digestHex, parseDigest, type Digest } from "@kindling/staging-client";

/*
 *   <prefix>blobs/sha256/<hex>   a small blob itself, or an empty object that points to the one with its bytes
 *   <prefix>data/<ingest>        the bytes of a large blob, assembled by an upload in parts
 *   <prefix>data/<ingest>/…      parts of it that are still objects, where a store has no others
 *   <prefix>ingest/<ingest>.<n>  the last bytes of a suspended ingest, too few for a part
 *   <prefix>meta/…               documents
 *   <prefix>damaged/…            contents of damaged documents, for people to look at
 *
 * An upload in parts names its object at its beginning and shows it only at its end; only then can bytes that another
 * process received be read back and verified. So the object gets a name of its own, and the blob appears at once, with
 * the small object that points to it.
 */

/** Metadata of an object that points to another one. */
export const POINTER = "kindling-object";
export const POINTER_SIZE = "kindling-size";

export interface BucketKeys {
  readonly blobs: string;
  readonly data: string;
  readonly ingest: string;
  readonly meta: string;
  readonly damaged: string;
  blob(digest: Digest): string;
  dataOf(ingestId: string): string;
  /** A new key each time: a server that was replaced must not overwrite the tail of its successor. */
  newTail(ingestId: string): string;
  /** The ingest that an object below `data` or `ingest` belongs to. */
  ingestOf(key: string): string;
  /** The digest whose blob has this key. */
  digestOf(key: string): Digest | undefined;
}

export function bucketKeys(prefix: string, random: Random): BucketKeys {
  const root = prefix === "" || prefix.endsWith("/") ? prefix : `${prefix}/`;
  const keys: BucketKeys = {
    blobs: `${root}blobs/sha256/`,
    data: `${root}data/`,
    ingest: `${root}ingest/`,
    meta: `${root}meta/`,
    damaged: `${root}damaged/`,
    blob: (digest) => keys.blobs + digestHex(digest),
    dataOf: (ingestId) => keys.data + ingestId,
    newTail: (ingestId) => `${keys.ingest}${ingestId}.${random.uuid()}`,
    ingestOf: (key) => key.slice(root.length).split(/[/.]/)[1] ?? "",
    digestOf: (key) => parseDigest(`sha256:${key.slice(keys.blobs.length)}`),
  };
  return keys;
}
