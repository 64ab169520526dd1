import type { Clock } from "@kindling/outside";
import { ERROR, Http2Error } from "./frame.ts";

const WINDOW_MS = 10_000;
/** Clients that measure the way there send a ping for each answer, and tell of windows frame by frame. */
const MOST = 10_000;
/** Frames with data allow others: acknowledgements of windows, pings. */
const PER_DATA_FRAME = 4;
const PER_FAULT = 100;

/**
 * What the frames of one connection may cost that carry nothing: settings, pings, resets, windows, empty data, and faults of
 * single calls. A connection that has more of them than any client needs is closed (CVE-2019-9512 to 9518, CVE-2023-44487,
 * CVE-2025-8671 and their kind).
 */
export class FrameBudget {
  readonly #clock: Pick<Clock, "monotonic">;
  #since: number;
  #left = MOST;

  constructor(clock: Pick<Clock, "monotonic">) {
    this.#clock = clock;
    this.#since = clock.monotonic();
  }

  /** A frame with data was sent or received. */
  earn(): void {
    this.#left += PER_DATA_FRAME;
  }

  /** @throws Http2Error */
  spend(): void {
    this.#take(1);
  }

  /**
   * A call was refused or reset because of what the other side did.
   *
   * @throws Http2Error
   */
  spendOnFault(): void {
    this.#take(PER_FAULT);
  }

  #take(cost: number): void {
    this.#left -= cost;
    if (this.#left >= 0) return;
    const now = this.#clock.monotonic();
    if (now - this.#since < WINDOW_MS) throw new Http2Error(ERROR.ENHANCE_YOUR_CALM, "too many frames without data");
    this.#since = now;
    this.#left = MOST - cost;
  }
}
