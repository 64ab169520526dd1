import type { Duplex } from "node:stream";
import type { Piece } from "./read-buffers.ts";

/** Data waits in its calls while so much has not left, because from there it can be taken back. */
const ENOUGH_BYTES = 256 * 1024;
/** A side that does not read its acknowledgements and headers is cut off (CVE-2019-9512, CVE-2019-9515). */
const MOST_BYTES = 8 * 1024 * 1024;

export interface SocketWriterOptions {
  /** Called before a group is written, and when there is room again: adds data as long as there is room. */
  readonly fill: () => void;
  /** The other side does not read what it is sent. */
  readonly onUnread: () => void;
}

/** Writes frames to a socket: all those of one turn of the event loop at once. */
export class SocketWriter {
  readonly #socket: Duplex;
  readonly #options: SocketWriterOptions;
  #isCorked = false;

  constructor(socket: Duplex, options: SocketWriterOptions) {
    this.#socket = socket;
    this.#options = options;
    socket.on("drain", () => this.schedule());
  }

  get hasRoom(): boolean {
    return this.#socket.writableLength < ENOUGH_BYTES;
  }

  /** @param onWritten told when the bytes are not needed any more */
  write(bytes: Buffer, onWritten?: () => void): void {
    if (!this.#socket.writable) return;
    this.schedule();
    this.#socket.write(bytes, onWritten);
    if (this.#socket.writableLength > MOST_BYTES) this.#options.onUnread();
  }

  writePiece({ bytes, release }: Piece): void {
    this.write(bytes, release);
  }

  /** Lets the group be filled and written at the end of the turn. */
  schedule(): void {
    if (this.#isCorked) return;
    this.#isCorked = true;
    this.#socket.cork();
    queueMicrotask(() => {
      this.#options.fill();
      this.#isCorked = false;
      this.#socket.uncork();
    });
  }
}
