import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Clock } from "@kindling/outside";

export interface UnreadBody {
  /** What the request came over: by the end of an answer, Node may have taken it from the request. */
  readonly socket: Socket;
  readonly clock: Clock;
  /** Ends the connection. */
  readonly cut: () => void;
}

// Whoever sends the rest of a short body gets to read the answer.
const MOST_BYTES = 128 * 1024;
const MOST_MS = 2_000;
const LOOK_MS = 50;

/**
 * A request that was answered before its body was read to the end. Node goes on reading and throws away what comes, for as
 * long as it comes: here it is for a moment, and then the connection ends.
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
  // With the body's end, or the connection's. Listened to here and not at the socket, which may have many more requests.
  request.once("close", () => cancel());
  look();
}
