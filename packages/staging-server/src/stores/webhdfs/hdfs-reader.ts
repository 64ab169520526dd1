import type { HttpResponse } from "@kindling/http";
import type { BlobReader, ByteRange } from "../blob-store.ts";
import { objectReader } from "../object-reader.ts";
import type { HdfsClient } from "./hdfs-client.ts";

/** Reads a range of a file in HDFS. */
export function hdfsReader(client: HdfsClient, path: string, range: ByteRange, first?: HttpResponse): BlobReader {
  return objectReader(`the file ${path}`, (rest) => client.open(path, rest), range, first);
}
