import type { Readable } from "node:stream";
import type { Clock } from "../clock.ts";
import { StagingError } from "../errors.ts";

export interface StallGuard {
  alive(): void;
  stop(): void;
}

/** Ends a body that gives no byte for too long, unless it is we who do not read. */
export function stallGuard(clock: Clock, limitMs: number, body: Readable): StallGuard {
  let last = clock.monotonic();
  let cancel: () => void = () => undefined;
  const look = (): void => {
    const now = clock.monotonic();
    if (body.isPaused()) last = now;
    if (now - last >= limitMs) {
      const message = `no byte arrived within ${Math.round(limitMs / 1000)} s`;
      body.destroy(new StagingError("stalled", message, { retryable: true }));
    } else cancel = clock.after(limitMs / 4, look);
  };
  cancel = clock.after(limitMs / 4, look);
  return {
    alive() {
      last = clock.monotonic();
    },
    stop: () => cancel(),
  };
}
