import type { Random } from "@kindling/outside";
import { digestHex, parseDigest, type Digest } from "@kindling/staging-client";

/*
 *   <prefix>blobs/sha256/<hex>   a small blob itself, or an empty object that points to the one with its bytes
 *   <prefix>data/<ingest>        the bytes of a large blob, assembled by a multipart upload
 *   <prefix>ingest/<ingest>.<n>  the last bytes of a suspended ingest, too few for a part
 *   <prefix>meta/…               documents
 *   <prefix>damaged/…            contents of damaged documents, for people to look at
 *
 * A multipart upload names its object at its beginning and shows it only at its end; only then can bytes that another
 * process received be read back and verified. So the object gets a name of its own, and the blob appears at once, with
 * the small object that points to it.
 */

/** Metadata of an object that points to another one. */
export const POINTER_FIELD = "x-amz-meta-kindling-object";
export const POINTER_SIZE_FIELD = "x-amz-meta-kindling-size";

export interface S3Keys {
  readonly blobs: string;
  readonly data: string;
  readonly ingest: string;
  readonly meta: string;
  readonly damaged: string;
  blob(digest: Digest): string;
  dataOf(ingestId: string): string;
  /** A new key each time: a server that was replaced must not overwrite the tail of its successor. */
  newTail(ingestId: string): string;
  /** The digest whose blob has this key. */
  digestOf(key: string): Digest | undefined;
}

export function s3Keys(prefix: string, random: Random): S3Keys {
  const root = prefix === "" || prefix.endsWith("/") ? prefix : `${prefix}/`;
  const keys: S3Keys = {
    blobs: `${root}blobs/sha256/`,
    data: `${root}data/`,
    ingest: `${root}ingest/`,
    meta: `${root}meta/`,
    damaged: `${root}damaged/`,
    blob: (digest) => keys.blobs + digestHex(digest),
    dataOf: (ingestId) => keys.data + ingestId,
    newTail: (ingestId) => `${keys.ingest}${ingestId}.${random.uuid()}`,
    digestOf: (key) => parseDigest(`sha256:${key.slice(keys.blobs.length)}`),
  };
  return keys;
}
