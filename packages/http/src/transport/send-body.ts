import type { ClientRequest } from "node:http";
import type { Readable } from "node:stream";

/** Sends a stream as a request's body, no faster than the network takes it; ends the request with it. */
export function sendBody(source: Readable, outgoing: ClientRequest, onSent?: (bytes: number) => void): void {
  source.on("data", (chunk: Buffer) => {
    const room = outgoing.write(chunk, (error) => {
      if (error === undefined || error === null) onSent?.(chunk.length);
    });
    if (!room) {
      source.pause();
      outgoing.once("drain", () => source.resume());
    }
  });
  source.on("end", () => outgoing.end());
  source.on("error", (error) => outgoing.destroy(error));
}
