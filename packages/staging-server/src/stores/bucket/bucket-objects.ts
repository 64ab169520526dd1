import type { HttpResponse } from "@kindling/http";
import type { ObjectBucket } from "@kindling/object-store";
import { objectStoreError } from "../../errors/store-error.ts";

/** The bucket that this server keeps everything in. Rejects with a `StoreError`. */
export type BucketObjects = ObjectBucket;

export function bucketObjects(bucket: ObjectBucket): BucketObjects {
  const { dropUploads, dropFolder, presign } = bucket;
  return {
    name: bucket.name,
    checksum: bucket.checksum,
    stat: (key) => bucket.stat(key).catch(fail),
    open: (key, range): Promise<HttpResponse | undefined> => bucket.open(key, range).catch(fail),
    readText: (key) => bucket.readText(key).catch(fail),
    put: (key, object) => bucket.put(key, object).catch(fail),
    delete: (key) => bucket.delete(key).catch(fail),
    async *list(prefix) {
      try {
        yield* bucket.list(prefix);
      } catch (error) {
        fail(error);
      }
    },
    folders: (prefix) => bucket.folders(prefix).catch(fail),
    multipart(options) {
      const upload = bucket.multipart(options);
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
    probe: (prefix) => bucket.probe(prefix).catch(fail),
    serverTime: () => bucket.serverTime(),
    ...(dropUploads && { dropUploads: (prefix, isStray) => dropUploads(prefix, isStray).catch(fail) }),
    ...(dropFolder && { dropFolder: (path) => dropFolder(path).catch(fail) }),
    ...(presign && { presign: (key, expiresIn) => presign(key, expiresIn).catch(fail) }),
  };
}

function fail(error: unknown): never {
  throw objectStoreError(error);
}
