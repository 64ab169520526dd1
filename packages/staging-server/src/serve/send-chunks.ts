import type { ServerResponse } from "node:http";
import type { BlobReader } from "../stores/blob-store.ts";

/**
 * Sends chunks as fast as the client takes them; never holds more than one. The response is left open, so that a caller
 * may send more. A client that takes nothing is ended by whoever watches the connections.
 *
 * @param onSent told how many bytes the kernel has taken
 * @returns whether all went out; if not, the connection is gone
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
