/** A buffer for one write to a socket. */
export interface Piece {
  readonly bytes: Buffer;
}

interface Holder {
  readonly since: number;
  readonly giveUp: () => void;
}

/** How many bytes a piece has: larger ones leave the processor's cache before they are sent. */
export const PIECE_BYTES: number = 256 * 1024;
/** How many pieces there are at most. */
const MOST_PIECES = 32;
/** If others wait, a reader must have taken a piece in this time. */
const PATIENCE_MS = 10_000;

/**
 * The buffers through which blocks go from files to sockets. Their number is the limit of what slow readers can make the
 * server hold. A piece that has just been returned is given out first, because it is in the processor's cache.
 *
 * If all pieces are taken and somebody waits, readers that have taken nothing for ten seconds lose their connection. Spark's
 * clients then fetch again.
 */
export class PiecePool {
  readonly #now: () => number;
  readonly #free: Piece[] = [];
  readonly #waiting: ((piece: Piece) => void)[] = [];
  readonly #holders = new Map<Piece, Holder>();
  #made = 0;

  /** @param now milliseconds that only ever grow */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** How many pieces are taken. */
  get taken(): number {
    return this.#holders.size;
  }

  /**
   * A piece, as soon as there is one. Return it with `release`.
   *
   * @param giveUp closes the connection of the holder, which then releases the piece
   */
  acquire(giveUp: () => void): Piece | Promise<Piece> {
    const piece = this.#free.pop() ?? this.#make();
    if (piece !== undefined) {
      this.#hold(piece, giveUp);
      return piece;
    }
    return new Promise((resolve) => {
      this.#waiting.push((next) => {
        this.#hold(next, giveUp);
        resolve(next);
      });
    });
  }

  release(piece: Piece): void {
    this.#holders.delete(piece);
    const next = this.#waiting.shift();
    if (next === undefined) this.#free.push(piece);
    else next(piece);
  }

  /** Call it now and then: it makes room for those that wait. */
  makeRoom(): void {
    if (this.#waiting.length === 0) return;
    const before = this.#now() - PATIENCE_MS;
    for (const { since, giveUp } of [...this.#holders.values()]) if (since < before) giveUp();
  }

  #make(): Piece | undefined {
    if (this.#made === MOST_PIECES) return undefined;
    this.#made += 1;
    return { bytes: Buffer.allocUnsafeSlow(PIECE_BYTES) };
  }

  #hold(piece: Piece, giveUp: () => void): void {
    this.#holders.set(piece, { since: this.#now(), giveUp });
  }
}
