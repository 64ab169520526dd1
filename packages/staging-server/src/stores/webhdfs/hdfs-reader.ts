import type { HttpResponse } from "@kindling/http";
import type { BlobReader, ByteRange } from "../blob-store.ts";
import { objectReader } from "../object-reader.ts";
import type { HdfsFiles } from "./hdfs-files.ts";

/** Reads a range of a file in HDFS. */
export function hdfsReader(client: HdfsFiles, path: string, range: ByteRange, first?: HttpResponse): BlobReader {
  return objectReader(`the file ${path}`, (rest) => client.open(path, rest), range, first);
}
