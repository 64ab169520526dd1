const BUFFER_BYTES = 256 * 1024;
/** More of them are left to the garbage collector: they were needed for a slow reader. */
const MOST_FREE = 4;

/** Bytes of a call, in memory that may belong to somebody. */
export interface Piece {
  readonly bytes: Buffer;
  /** Gives the memory back, once the bytes have left. Who never calls it leaves the memory to the garbage collector. */
  readonly release?: (() => void) | undefined;
}

/**
 * The memory that one connection reads into, again and again. With memory of its own for each read, gibibytes of results would
 * make the garbage collector run all the time.
 */
export class ReadBuffers {
  readonly #free: Buffer[] = [];

  /** Memory that nobody uses. */
  next(): Buffer {
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(BUFFER_BYTES);
  }

  /** Lends memory that was read into: it is used again when the lease and all of its pieces have ended. */
  lease(buffer: Buffer): Lease {
    return new Lease(() => {
      if (this.#free.length < MOST_FREE) this.#free.push(buffer);
    });
  }
}

/** Counts those who use some memory. */
export class Lease {
  readonly #onFree: () => void;
  #users = 1;

  constructor(onFree: () => void) {
    this.#onFree = onFree;
  }

  /** Another user. The result ends the use; called again, it does nothing. */
  use(): () => void {
    this.#users += 1;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.end();
    };
  }

  /** The reader has looked at all of it. Called once. */
  end(): void {
    this.#users -= 1;
    if (this.#users === 0) this.#onFree();
  }
}
