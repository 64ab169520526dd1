const BUFFER_BYTES = 256 * 1024;
/** More of them are left to the garbage collector: they were needed for a slow reader. */
const MOST_FREE = 8;
/** What is less than this share of its memory is copied. */
const LEAST_SHARE = 0.25;

/** Bytes of a call, in memory that may belong to somebody. */
export interface Piece {
  readonly bytes: Buffer;
  /** Gives the memory back, once the bytes have left. Who never calls it leaves the memory to the garbage collector. */
  readonly release?: (() => void) | undefined;
}

/** Bytes that were read. */
export interface Read {
  readonly bytes: Buffer;
  /** Of their memory, if it is used again. */
  readonly lease: Lease | undefined;
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

  /**
   * What was read into memory from here. The memory is used again when the lease and all of its pieces have ended. A little is
   * copied instead: small answers that wait for a slow reader would hold much more memory than they are long.
   */
  read(buffer: Buffer, length: number): Read {
    const giveBack = (): void => {
      if (this.#free.length < MOST_FREE) this.#free.push(buffer);
    };
    const bytes = buffer.subarray(0, length);
    if (length >= buffer.length * LEAST_SHARE) return { bytes, lease: new Lease(giveBack) };
    const copied = Buffer.from(bytes);
    giveBack();
    return { bytes: copied, lease: undefined };
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
