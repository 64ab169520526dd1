import type { IncomingMessage } from "node:http";
import type { Clock } from "@kindling/outside";
import { rateGuard, type RateLimit, TICKS_PER_WINDOW } from "./rate-guard.ts";

export interface SlowBody {
  readonly clock: Clock;
  readonly rate: RateLimit;
  /** Ends the connection. */
  readonly cut: () => void;
}

/**
 * Ends a request whose body comes too slowly. While this side does not read, the sender cannot send, so it does not count as
 * slow.
 *
 * @returns a function to call when nobody waits for the body any more
 */
export function endSlow(request: IncomingMessage, { clock, rate, cut }: SlowBody): () => void {
  const guard = rateGuard(rate);
  const { socket } = request;
  let seen = socket.bytesRead;
  let cancel: () => void = () => undefined;
  function look(): void {
    if (request.complete || socket.destroyed) return;
    guard.count(socket.bytesRead - seen);
    seen = socket.bytesRead;
    if (guard.tick(request.readableLength > 0)) schedule();
    else cut();
  }
  function schedule(): void {
    cancel = clock.after((rate.windowSeconds * 1000) / TICKS_PER_WINDOW, look);
  }
  schedule();
  return () => cancel();
}
