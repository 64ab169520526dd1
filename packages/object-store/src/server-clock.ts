import type { HttpResponse } from "@kindling/http";
import type { Clock } from "@kindling/outside";

/** A server's clock, as far as its answers tell it; before the first answer, this machine's. */
export interface ServerClock {
  /** Milliseconds since the epoch. */
  now(): number;
  note(response: Pick<HttpResponse, "headers">): void;
}

// The field `Date` has whole seconds; smaller differences are no skew.
const NO_SKEW_MS = 2_000;

export function serverClock(clock: Clock): ServerClock {
  // How far the server's clock is ahead of this machine's.
  let skewMs = 0;
  const now = (): number => clock.now() + skewMs;
  return {
    now,
    note({ headers }) {
      const server = Date.parse(headers.date ?? "");
      if (!Number.isNaN(server) && Math.abs(server - now()) > NO_SKEW_MS) skewMs = server - clock.now();
    },
  };
}
