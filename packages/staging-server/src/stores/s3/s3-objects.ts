import { multipartUpload, type MultipartOptions, type MultipartUpload, type S3Client } from "@kindling/object-store/s3";
import type { HttpResponse } from "@kindling/http";
import { ifPresent } from "@kindling/object-store";
import { objectStoreError } from "../../errors/store-error.ts";
import type { ByteRange } from "../blob-store.ts";

/** A client of the bucket that this server keeps everything in. Rejects with a `StoreError`. */
export interface S3Objects extends Omit<S3Client, "attempt" | "bucket" | "open"> {
  /** `undefined` if there is no such object. */
  open(key: string, range: ByteRange): Promise<HttpResponse | undefined>;
  multipart(options: Omit<MultipartOptions, "client" | "mayRead">): MultipartUpload;
}

export function s3Objects(client: S3Client): S3Objects {
  return {
    send: (request) => client.send(request).catch(fail),
    open: (key, range) => ifPresent(client.open(key, range)).catch(fail),
    delete: (key) => client.delete(key).catch(fail),
    presign: (key, expiresIn) => client.presign(key, expiresIn).catch(fail),
    serverTime: () => client.serverTime(),
    multipart(options) {
      const upload = multipartUpload({ ...options, client, mayRead: true });
      return {
        get bytes() {
          return upload.bytes;
        },
        add: (part, onDone) => upload.add(part, onDone).catch(fail),
        settle: () => upload.settle().catch(fail),
        state: () => upload.state(),
        complete: () => upload.complete().catch(fail),
        abort: () => upload.abort().catch(fail),
      };
    },
  };
}

function fail(error: unknown): never {
  throw objectStoreError(error);
}
