import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Clock } from "@kindling/outside";

export interface UnreadBody {
  /** The request's socket: at the end of an answer, Node may have removed it from the request. */
  readonly socket: Socket;
  readonly clock: Clock;
  /** Ends the connection. */
  readonly cut: () => void;
}

// A client that sends the rest of a short body can still read the answer.
const MOST_BYTES = 128 * 1024;
const MOST_MS = 2_000;
const LOOK_MS = 50;

/**
 * Handles a request that was answered before its body was read to the end. Node would continue to read and discard the body
 * for as long as it comes. Here it does so only for a moment, and then the connection ends.
 */
export function endUnread(request: IncomingMessage, { socket, clock, cut }: UnreadBody): void {
  const began = clock.monotonic();
  const before = socket.bytesRead;
  let cancel: () => void = () => undefined;
  function look(): void {
    if (request.complete || socket.destroyed) return;
    if (socket.bytesRead - before > MOST_BYTES || clock.monotonic() - began >= MOST_MS) cut();
    else cancel = clock.after(LOOK_MS, look);
  }
  // Called at the end of the body or the connection. The listener is on the request and not on the socket, because the socket
  // may have many more requests.
  request.once("close", () => cancel());
  look();
}
