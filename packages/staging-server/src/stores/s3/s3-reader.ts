import type { HttpResponse } from "@kindling/http";
import type { BlobReader, ByteRange } from "../blob-store.ts";
import { objectReader } from "../object-reader.ts";
import type { S3Client } from "./s3-client.ts";

/** Reads a range of an object of S3. */
export function s3Reader(client: S3Client, key: string, range: ByteRange, first?: HttpResponse): BlobReader {
  return objectReader(`the object ${key}`, (rest) => client.open(key, rest), range, first);
}
