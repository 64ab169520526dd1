import type { HttpResponse } from "@kindling/http";
import { ifPresent } from "@kindling/object-store";
import type { HdfsStatus, WebHdfsClient } from "@kindling/object-store/webhdfs";
import { objectStoreError } from "../../errors/store-error.ts";
import type { ByteRange } from "../blob-store.ts";

/** A client of the HDFS that this server keeps everything in. Rejects with a `StoreError`. */
export interface HdfsFiles extends Omit<WebHdfsClient, "status" | "list" | "open"> {
  /** `undefined` if it does not exist; the next two do the same. */
  status(path: string): Promise<HdfsStatus | undefined>;
  list(path: string): Promise<readonly HdfsStatus[] | undefined>;
  open(path: string, range: ByteRange): Promise<HttpResponse | undefined>;
}

export function hdfsFiles(client: WebHdfsClient): HdfsFiles {
  return {
    status: (path) => ifPresent(client.status(path)).catch(fail),
    list: (path) => ifPresent(client.list(path)).catch(fail),
    open: (path, range) => ifPresent(client.open(path, range)).catch(fail),
    makeDirectory: (path) => client.makeDirectory(path).catch(fail),
    create: (path, body) => client.create(path, body).catch(fail),
    rename: async (from, to) => (await ifPresent(client.rename(from, to)).catch(fail)) ?? false,
    concat: (target, sources) => client.concat(target, sources).catch(fail),
    delete: async (path, options) => (await ifPresent(client.delete(path, options)).catch(fail)) ?? false,
    serverTime: () => client.serverTime(),
  };
}

function fail(error: unknown): never {
  throw objectStoreError(error);
}
