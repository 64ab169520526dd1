import type { HttpResponse } from "@kindling/staging-client";
import type { BlobReader, ByteRange } from "../blob-store.ts";
import { StoreError } from "../store-error.ts";
import type { S3Client } from "./s3-client.ts";

// How often a body that breaks is gone on with, as long as some bytes came each time.
const MAX_BREAKS = 5;
const STALL_MS = 30_000;

/** Reads a range of an object; goes on by itself where the connection breaks. */
export function s3Reader(client: S3Client, key: string, range: ByteRange, first?: HttpResponse): BlobReader {
  let open: HttpResponse | undefined = first;

  async function* chunks(): AsyncGenerator<Buffer, void> {
    let position = range.start;
    let breaks = 0;
    try {
      while (position < range.end) {
        const response = open ?? (await client.open(key, { start: position, end: range.end }));
        if (response === undefined) throw new StoreError("unavailable", `the object ${key} is gone`);
        open = response;
        // A server that knows no ranges sends everything.
        let skip = response.status === 200 ? position : 0;
        try {
          for await (const chunk of withoutStalls(response)) {
            const rest = chunk.subarray(skip, skip + range.end - position);
            skip = Math.max(0, skip - chunk.length);
            if (rest.length === 0) continue;
            position += rest.length;
            breaks = 0;
            yield rest;
          }
        } catch (error) {
          if (++breaks > MAX_BREAKS) throw new StoreError("unavailable", `reading ${key} broke off`, error);
        }
        if (position < range.end && ++breaks > MAX_BREAKS)
          throw new StoreError("unavailable", `reading ${key} broke off`);
        response.body.destroy();
        open = undefined;
      }
    } finally {
      open?.body.destroy();
    }
  }

  return {
    [Symbol.asyncIterator]: chunks,
    close() {
      open?.body.destroy();
      return Promise.resolve();
    },
  };
}

/** The chunks of a body that must not pause for long; a consumer may. */
async function* withoutStalls({ body }: HttpResponse): AsyncGenerator<Buffer, void> {
  const iterator = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  for (;;) {
    const timer = setTimeout(() => body.destroy(new Error("no byte arrived for 30 s")), STALL_MS);
    try {
      const next = await iterator.next();
      if (next.done === true) return;
      yield next.value;
    } finally {
      clearTimeout(timer);
    }
  }
}
