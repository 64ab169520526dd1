import type { Duplex } from "node:stream";
import { encodeFields } from "../hpack/encode-fields.ts";
import type { Fields } from "../hpack/static-table.ts";
import { FLAG, FRAME, frameHead, LARGEST_WINDOW, LONGEST_PAYLOAD, USUAL_WINDOW } from "./frame.ts";
import type { FrameBudget } from "./frame-budget.ts";
import { headerFrames } from "./header-block.ts";
import type { Http2Stream } from "./http2-stream.ts";
import { SocketWriter } from "./socket-writer.ts";

/** What a connection sends: data of its calls by turns, a frame each, as far as the windows allow it. */
export class Sending {
  readonly #writer: SocketWriter;
  readonly #budget: FrameBudget;
  readonly #waiting = new Set<Http2Stream>();
  /** How much the other side takes, of all calls together. */
  #window = USUAL_WINDOW;

  constructor(socket: Duplex, budget: FrameBudget, onUnread: () => void) {
    this.#budget = budget;
    this.#writer = new SocketWriter(socket, { fill: () => this.#fill(), onUnread });
  }

  /** Sends a frame that needs no window. */
  write(bytes: Buffer): void {
    this.#writer.write(bytes);
  }

  headers(stream: Http2Stream, fields: Fields, isLast: boolean): void {
    this.#writer.write(headerFrames(stream.id, encodeFields(fields), isLast));
  }

  later(stream: Http2Stream): void {
    if (!stream.canSend) return;
    this.#waiting.add(stream);
    this.#writer.schedule();
  }

  forget(stream: Http2Stream): void {
    this.#waiting.delete(stream);
  }

  /** @returns whether the window stays in its limits */
  widen(bytes: number): boolean {
    this.#window += bytes;
    if (this.#window > LARGEST_WINDOW) return false;
    if (this.#waiting.size > 0) this.#writer.schedule();
    return true;
  }

  #fill(): void {
    // One that has more to send comes back at the end of the set, and is visited again.
    for (const stream of this.#waiting) {
      if (!this.#writer.hasRoom) return;
      if (stream.queued > 0 && this.#window <= 0) continue;
      this.#waiting.delete(stream);
      if (!stream.canSend) continue;
      this.#sendFrame(stream);
      if (stream.canSend) this.#waiting.add(stream);
    }
  }

  #sendFrame(stream: Http2Stream): void {
    const trailers = stream.lastTrailers;
    if (trailers !== undefined) {
      this.headers(stream, trailers, true);
      stream.sentLast();
      return;
    }
    const { pieces, length, isLast } = stream.nextData(Math.min(LONGEST_PAYLOAD, this.#window));
    this.#window -= length;
    if (length > 0) this.#budget.earn();
    this.#writer.write(frameHead(length, FRAME.DATA, isLast ? FLAG.END_STREAM : FLAG.NONE, stream.id));
    for (const piece of pieces) this.#writer.writePiece(piece);
    stream.onSent?.(length);
    if (isLast) stream.sentLast();
  }
}
