import type { ServerResponse } from "node:http";
import type { Clock } from "@kindling/staging-client";
import type { BlobReader } from "../stores/blob-store.ts";

export interface SendOptions {
  readonly clock: Clock;
  /** How long the reader may take no chunk. */
  readonly stallSeconds: number;
  readonly onSent: (bytes: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * Sends chunks as fast as the client takes them; never holds more than one. The response is left open, so that a caller
 * may send more.
 *
 * @returns whether all went out; if not, the connection is gone
 */
export async function sendChunks(
  chunks: BlobReader | AsyncIterable<Buffer>,
  response: ServerResponse,
  options: SendOptions,
): Promise<boolean> {
  const { clock, stallSeconds } = options;
  let lastTaken = clock.monotonic();
  let cancel: () => void = () => undefined;
  const watch = (): void => {
    if (clock.monotonic() - lastTaken >= stallSeconds * 1000) response.destroy();
    else cancel = clock.after((stallSeconds * 1000) / 4, watch);
  };
  cancel = clock.after((stallSeconds * 1000) / 4, watch);
  const abort = (): void => void response.destroy();
  options.signal?.addEventListener("abort", abort, { once: true });
  try {
    for await (const chunk of chunks) {
      lastTaken = clock.monotonic();
      if (!(await written(response, chunk))) return false;
      options.onSent(chunk.length);
    }
    return true;
  } finally {
    cancel();
    options.signal?.removeEventListener("abort", abort);
  }
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
