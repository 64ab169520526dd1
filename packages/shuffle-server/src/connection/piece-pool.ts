/** A buffer for one write to a socket. */
export interface Piece {
  readonly bytes: Buffer;
}

interface Holder {
  readonly since: number;
  readonly giveUp: () => void;
}

/** How many bytes a write has at most: larger ones leave the processor's cache before they are sent. */
export const PIECE_BYTES: number = 256 * 1024;
/** A write may begin this far inside of a piece. */
const MOST_SKEW = 64;
/** How many pieces there are at most. */
const MOST_PIECES = 24;
/** If others wait, a reader must have taken a piece in this time. */
const PATIENCE_MS = 10_000;

/**
 * Where in a new piece the bytes from a position of a file should be put. A processor copies several times slower if the
 * addresses of source and target differ by a few bytes more than a multiple of 4096, because it takes the target of one step
 * for the source of the next. Without this, that happens to all blocks at the beginning of a page: the system gives large
 * buffers addresses 16 bytes after such a multiple. With it, a third of the server's time is saved.
 */
export function skewFor(position: number): number {
  return (position + 48) % MOST_SKEW;
}

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
    const piece = this.acquireNow(giveUp);
    if (piece !== undefined) return piece;
    return new Promise((resolve) => {
      this.#waiting.push((next) => {
        this.#hold(next, giveUp);
        resolve(next);
      });
    });
  }

  /** A piece, if there is one. */
  acquireNow(giveUp: () => void): Piece | undefined {
    const piece = this.#free.pop() ?? this.#make();
    if (piece !== undefined) this.#hold(piece, giveUp);
    return piece;
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
    return { bytes: Buffer.allocUnsafeSlow(MOST_SKEW + PIECE_BYTES) };
  }

  #hold(piece: Piece, giveUp: () => void): void {
    this.#holders.set(piece, { since: this.#now(), giveUp });
  }
}
