import type { HttpResponse } from "@kindling/http";
import { StoreError } from "../errors/store-error.ts";
import type { BlobReader, ByteRange } from "./blob-store.ts";

// How often a broken body is continued, as long as some bytes came each time.
const MAX_BREAKS = 5;

/** Opens an object from some offset to the end of a range; `undefined` if it is gone. */
export type OpenObject = (range: ByteRange) => Promise<HttpResponse | undefined>;

/**
 * Reads a range of an object over HTTP; continues by itself if the connection breaks.
 *
 * @param first an answer to exactly this range, if there is one already
 */
export function objectReader(name: string, open: OpenObject, range: ByteRange, first?: HttpResponse): BlobReader {
  let current: HttpResponse | undefined = first;

  async function* chunks(): AsyncGenerator<Buffer, void> {
    let position = range.start;
    let breaks = 0;
    try {
      while (position < range.end) {
        const response = current ?? (await open({ start: position, end: range.end }));
        if (response === undefined) throw new StoreError("unavailable", `${name} is gone`);
        current = response;
        let failure: unknown;
        try {
          for await (const chunk of response.body as AsyncIterable<Buffer>) {
            const rest = chunk.subarray(0, range.end - position);
            position += rest.length;
            breaks = 0;
            yield rest;
          }
        } catch (error) {
          failure = error;
        }
        response.body.destroy();
        current = undefined;
        if (position < range.end && ++breaks > MAX_BREAKS) {
          throw new StoreError("unavailable", `reading ${name} broke off`, failure);
        }
      }
    } finally {
      current?.body.destroy();
    }
  }

  return {
    [Symbol.asyncIterator]: chunks,
    close() {
      current?.body.destroy();
      return Promise.resolve();
    },
  };
}
