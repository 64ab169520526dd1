import { Readable } from "node:stream";
import type { WebHdfsClient } from "@kindling/object-store/webhdfs";
import { StagingError, type DownloadPart, type DownloadSource } from "@kindling/staging-client";
import { storeFailure } from "../store-failure.ts";

/** A file of HDFS by WebHDFS or HttpFS. The name node reports the file's length and time. They are used to resume. */
export function hdfsFile(uri: string, path: string, client: WebHdfsClient): DownloadSource {
  return {
    description: uri,
    async open(offset, validator, signal) {
      try {
        return await open(offset, validator, signal);
      } catch (error) {
        throw storeFailure(error);
      }
    },
  };

  async function open(offset: number, validator: string | undefined, signal: AbortSignal): Promise<DownloadPart> {
    const { length, modified, type } = await client.status(path, signal);
    if (type !== "FILE") throw new StagingError("rejected", `${uri} is a directory`, { hint: "name a file" });
    const current = `"${modified}-${length}"`;
    const start = validator === current && offset <= length ? offset : 0;
    // A name node refuses an offset at the end, where there is nothing more to read.
    const body = start === length ? Readable.from([], { objectMode: false }) : await bytes(start, length, signal);
    return { body, start, size: length, validator: current };
  }

  async function bytes(start: number, length: number, signal: AbortSignal): Promise<DownloadPart["body"]> {
    const { headers, body } = await client.open(path, { start }, signal);
    const announced = headers["content-length"];
    if (announced === undefined || Number(announced) === length - start) return body;
    body.destroy();
    throw new StagingError("protocol", `${uri}: the answer is not the ${length - start} bytes that are left`, {
      retryable: true,
    });
  }
}
