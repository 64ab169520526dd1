import { digestHex, parseDigest, type Digest } from "@kindling/staging-client";

/*
 *   <root>/blobs/<2 hex>/<62 hex>
 *   <root>/ingest/<ingest>/<segment>        bytes that are still arriving, a file for each stretch
 *   <root>/meta/<collection>/<name>/<n>     a document's states; the one with the highest number counts
 *   <root>/damaged/<collection>/<name>/<n>  contents of damaged documents, for people to look at
 *   <root>/new/<uuid>                       documents that are still being written
 */

export interface HdfsPaths {
  readonly root: string;
  readonly blobs: string;
  readonly ingest: string;
  readonly meta: string;
  readonly damaged: string;
  readonly fresh: string;
  blobFolder(digest: Digest): string;
  blob(digest: Digest): string;
  ingestFolder(id: string): string;
  digestOf(folder: string, name: string): Digest | undefined;
}

export function hdfsPaths(root: string): HdfsPaths {
  const base = root.replace(/\/+$/, "");
  const paths: HdfsPaths = {
    root: base,
    blobs: `${base}/blobs`,
    ingest: `${base}/ingest`,
    meta: `${base}/meta`,
    damaged: `${base}/damaged`,
    fresh: `${base}/new`,
    blobFolder: (digest) => `${paths.blobs}/${digestHex(digest).slice(0, 2)}`,
    blob: (digest) => `${paths.blobFolder(digest)}/${digestHex(digest).slice(2)}`,
    ingestFolder: (id) => `${paths.ingest}/${id}`,
    digestOf: (folder, name) => parseDigest(`sha256:${folder}${name}`),
  };
  return paths;
}
