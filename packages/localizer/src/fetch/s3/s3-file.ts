import type { HttpRequest } from "@kindling/http";
import type { S3Client } from "@kindling/object-store/s3";
import { httpSource, type DownloadSource, type StagingTransport } from "@kindling/staging-client";
import { storeFailure } from "../store-failure.ts";

/** An object of an S3-compatible store. A failed request is not repeated here: the download as a whole is continued. */
export function s3File(uri: string, key: string, client: S3Client, transport: StagingTransport): DownloadSource {
  const signing: StagingTransport = {
    ...transport,
    async send({ headers, signal }) {
      try {
        // The object has become shorter: the download begins again.
        return await client.attempt({ method: "GET", key, headers: singleFields(headers), signal, accept: [416] });
      } catch (error) {
        throw storeFailure(error);
      }
    },
  };
  return httpSource({ url: client.bucket.url, transport: signing, description: uri });
}

/** A field that is given several times, as one (RFC 9110, 5.3). */
function singleFields(headers: HttpRequest["headers"]): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(", ")]));
}
