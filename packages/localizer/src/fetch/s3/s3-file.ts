import type { S3Client } from "@kindling/object-store/s3";
import { httpSource, type DownloadSource, type HttpTransport } from "@kindling/staging-client";
import { storeFailure } from "../store-failure.ts";

/** An object of an S3-compatible store. A failed request is not repeated here: the whole download is gone on with. */
export function s3File(uri: string, key: string, client: S3Client, transport: HttpTransport): DownloadSource {
  const signing: HttpTransport = {
    ...transport,
    async send({ headers, signal }) {
      try {
        // The object has become shorter: the download begins anew.
        return await client.attempt({ method: "GET", key, headers, signal, accept: [416] });
      } catch (error) {
        throw storeFailure(error);
      }
    },
  };
  return httpSource({ url: client.bucket.url, transport: signing, description: uri });
}
