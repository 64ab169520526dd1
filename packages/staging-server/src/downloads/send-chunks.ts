import type { ServerResponse } from "node:http";
import type { BlobReader } from "../stores/blob-store.ts";

/**
 * Sends chunks as fast as the client reads them; never holds more than one. The response stays open, so that a caller may
 * send more. The code that watches connections ends a client that reads nothing.
 *
 * @param onSent called with the number of bytes that the kernel has taken
 * @returns whether all chunks were sent; if not, the connection is gone
 */
export async function sendChunks(
  chunks: BlobReader | AsyncIterable<Buffer>,
  response: ServerResponse,
  onSent: (bytes: number) => void,
): Promise<boolean> {
  for await (const chunk of chunks) {
    if (!(await written(response, chunk))) return false;
    onSent(chunk.length);
  }
  return true;
}

/** Resolves when the kernel has the chunk, so that its buffer can be used again; `false` if the connection is gone. */
function written(response: ServerResponse, chunk: Buffer): Promise<boolean> {
  return new Promise((resolve) => {
    const gone = (): void => resolve(false);
    if (response.destroyed) {
      gone();
      return;
    }
    response.once("close", gone);
    response.write(chunk, (error) => {
      response.off("close", gone);
      resolve(error === undefined || error === null);
    });
  });
}
