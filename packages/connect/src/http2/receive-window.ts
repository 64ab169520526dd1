import { ERROR, Http2Error } from "./frame.ts";

/** How much the other side may still send, of a call or of a whole connection. */
export class ReceiveWindow {
  readonly #size: number;
  #open: number;
  /** Bytes that were taken, and that the other side has not been told of. */
  #untold = 0;

  /** @param size bytes that may be under way */
  constructor(size: number) {
    this.#size = size;
    this.#open = size;
  }

  /** @throws Http2Error if the other side sends more than it may */
  receive(bytes: number): void {
    this.#open -= bytes;
    if (this.#open < 0) throw new Http2Error(ERROR.FLOW_CONTROL_ERROR, "the other side sends more than it may");
  }

  /**
   * Bytes have been passed on.
   *
   * @returns what the other side should be told now: few large updates cost less than many small ones
   */
  take(bytes: number): number | undefined {
    this.#untold += bytes;
    if (this.#untold < this.#size / 2) return undefined;
    const told = this.#untold;
    this.#untold = 0;
    this.#open += told;
    return told;
  }
}
