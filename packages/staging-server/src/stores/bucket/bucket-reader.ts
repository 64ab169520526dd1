import type { HttpResponse } from "@kindling/http";
import type { BlobReader, ByteRange } from "../blob-store.ts";
import { objectReader } from "../object-reader.ts";
import type { BucketObjects } from "./bucket-objects.ts";

/** Reads a range of an object. */
export function bucketReader(bucket: BucketObjects, key: string, range: ByteRange, first?: HttpResponse): BlobReader {
  return objectReader(`the object ${key}`, (rest) => bucket.open(key, rest), range, first);
}
