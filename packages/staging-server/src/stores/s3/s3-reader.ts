import type { HttpResponse } from "@kindling/http";
import type { BlobReader, ByteRange } from "../blob-store.ts";
import { objectReader } from "../object-reader.ts";
import type { S3Objects } from "./s3-objects.ts";

/** Reads a range of an object of S3. */
export function s3Reader(client: S3Objects, key: string, range: ByteRange, first?: HttpResponse): BlobReader {
  return objectReader(`the object ${key}`, (rest) => client.open(key, rest), range, first);
}
