import type { Socket } from "node:net";
import type { FoundBlock } from "../blocks/block-files.ts";
import { PIECE_BYTES, skewFor, type Piece, type PiecePool } from "./piece-pool.ts";
import type { PieceReader } from "./piece-reader.ts";

/** After so many bytes in one go, others have their turn. */
const TURN_BYTES = 1024 * 1024;

/** The connection was closed while something was sent. */
export class ClosedError extends Error {
  override readonly name = "ClosedError";
}

/**
 * Sends answers over a socket, and waits until the system has taken them. Small ones are gathered in one piece, so that many
 * blocks need one write. At most one piece is under way, so a client that does not read makes its connection wait, and only
 * that.
 */
export class Outlet {
  readonly #socket: Socket;
  readonly #pool: PiecePool;
  readonly #reader: PieceReader;
  #piece: Piece | undefined;
  /** Where the bytes in the piece begin and end. */
  #start = 0;
  #end = 0;
  #turn = 0;
  /** Encrypts all that is written. */
  #seal: ((data: Buffer) => Buffer) | undefined;

  constructor(socket: Socket, pool: PiecePool, reader: PieceReader) {
    this.#socket = socket;
    this.#pool = pool;
    this.#reader = reader;
  }

  /** From now on, everything is encrypted. */
  sealWith(seal: (data: Buffer) => Buffer): void {
    this.#seal = seal;
  }

  /** Sends bytes, perhaps together with what follows: call `flush` before waiting for something else. */
  async bytes(data: Buffer): Promise<void> {
    if (this.#room < data.length) await this.flush();
    const piece = this.#piece ?? this.#pieceNow();
    if (piece === undefined || data.length > PIECE_BYTES) {
      // An answer without a block must not wait for those who do not read theirs.
      await this.#write(data);
      return;
    }
    piece.bytes.set(data, this.#end);
    this.#end += data.length;
  }

  /**
   * Sends a block.
   *
   * @throws Error if the file became shorter: the answer has begun, so only the end of the connection can tell the client
   */
  async block({ file, offset, length }: FoundBlock): Promise<void> {
    for (let done = 0; done < length;) {
      // A block that does not fit begins here all the same, because fewer and larger writes are cheaper.
      if (this.#room === 0) await this.flush();
      const piece = this.#piece ?? (await this.#nextPiece(skewFor(offset + done)));
      const want = Math.min(this.#room, length - done);
      const reading = this.#reader.read(file.fd, piece.bytes, this.#end, want, offset + done);
      const count = typeof reading === "number" ? reading : await reading;
      if (count === 0) throw new Error("a data file became shorter");
      this.#end += count;
      done += count;
    }
  }

  /** Writes what was gathered, and waits until the system has taken it. */
  async flush(): Promise<void> {
    const piece = this.#piece;
    if (piece === undefined) return;
    const data = piece.bytes.subarray(this.#start, this.#end);
    this.#piece = undefined;
    this.#start = 0;
    this.#end = 0;
    try {
      await this.#write(data);
    } finally {
      this.#pool.release(piece);
    }
  }

  /** Gives back what it holds, when the connection is closed. */
  close(): void {
    if (this.#piece !== undefined) this.#pool.release(this.#piece);
    this.#piece = undefined;
  }

  get #room(): number {
    return PIECE_BYTES - (this.#end - this.#start);
  }

  #pieceNow(): Piece | undefined {
    const piece = this.#pool.acquireNow(() => this.#socket.destroy());
    return piece === undefined ? undefined : this.#begin(piece, 0);
  }

  async #nextPiece(start: number): Promise<Piece> {
    const next = this.#pool.acquire(() => this.#socket.destroy());
    return this.#begin(next instanceof Promise ? await next : next, start);
  }

  #begin(piece: Piece, start: number): Piece {
    this.#piece = piece;
    this.#start = start;
    this.#end = start;
    return piece;
  }

  async #write(plain: Buffer): Promise<void> {
    const data = this.#seal === undefined ? plain : this.#seal(plain);
    await new Promise<void>((resolve, reject) => {
      if (this.#socket.destroyed) {
        reject(new ClosedError());
        return;
      }
      this.#socket.write(data, (error) => (error instanceof Error ? reject(new ClosedError()) : resolve()));
    });
    this.#turn += data.length;
    if (this.#turn < TURN_BYTES) return;
    // A write that the system takes at once does not let other connections have their turn.
    this.#turn = 0;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
