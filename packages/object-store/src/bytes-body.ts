import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type { ObjectBody, ObjectBucket } from "./object-bucket.ts";

/** Bytes that are in memory, as a body for a bucket. Their hash is computed once, however often they are sent. */
export function bytesBody(bytes: Uint8Array, { checksum }: Pick<ObjectBucket, "checksum">): ObjectBody {
  return {
    length: bytes.length,
    hash: checksum === undefined ? "" : createHash(checksum).update(bytes).digest("hex"),
    open: () => Readable.from([bytes], { objectMode: false }),
  };
}
