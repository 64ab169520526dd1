import type { IncomingMessage } from "node:http";
import type { Clock } from "@kindling/outside";

export interface StallGuard {
  stop(): void;
}

/** Calls back when no byte of a body comes for too long, unless its reader does not read. */
export function stallGuard(
  clock: Clock,
  limitMs: number,
  body: IncomingMessage,
  onStall: (limitMs: number) => void,
): StallGuard {
  let cancel: () => void = () => undefined;
  const look = (bytesBefore: number, since: number): void => {
    cancel = clock.after(limitMs / 4, () => {
      const bytes = body.socket.bytesRead;
      const now = clock.monotonic();
      const waitsForReader = body.complete || body.readableLength > 0;
      if (bytes !== bytesBefore || waitsForReader) look(bytes, now);
      else if (now - since >= limitMs) onStall(limitMs);
      else look(bytes, since);
    });
  };
  if (Number.isFinite(limitMs)) look(body.socket.bytesRead, clock.monotonic());
  return { stop: () => cancel() };
}
