import type { Clock } from "@kindling/outside";
import type { CallOf } from "../calls/handle-call.ts";
import { ERROR } from "../http2/frame.ts";
import type { Http2Stream } from "../http2/http2-stream.ts";

export interface UselessCallsOptions {
  readonly clock: Clock;
  readonly callsPerConnection: number;
  /** May be told again. */
  readonly onTooMany: () => void;
}

/** People and notebooks cancel calls one by one. So many in ten seconds are too many. */
const MOST = 200;
const WINDOW_MS = 10_000;

/** Counts the calls of one connection whose client takes back call after call, or guesses tokens. */
export class UselessCalls {
  readonly #options: UselessCallsOptions;
  readonly #most: number;
  #since: number;
  #count = 0;

  constructor(options: UselessCallsOptions) {
    this.#options = options;
    // Calls above the limit are refused unseen, and would never be counted.
    this.#most = Math.max(1, Math.min(MOST, options.callsPerConnection - 1));
    this.#since = options.clock.monotonic();
  }

  /** A call is over. */
  add({ end, headersSent }: Http2Stream, owner: CallOf): void {
    // Stock clients leave most answers before their last byte, but not before the first one.
    const isTakenBack = end?.kind === "reset" && end.by === "peer" && end.code === ERROR.CANCEL && !headersSent;
    if (owner === "user" && !isTakenBack) return;
    const now = this.#options.clock.monotonic();
    if (now - this.#since > WINDOW_MS) {
      this.#since = now;
      this.#count = 0;
    }
    this.#count += 1;
    if (this.#count >= this.#most) this.#options.onTooMany();
  }
}
