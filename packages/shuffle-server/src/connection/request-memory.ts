/** A connection, as far as its memory is concerned. */
export interface MemoryHolder {
  /** What its requests and streams hold, in bytes. */
  readonly held: number;
  close(): void;
}

/** What all unanswered requests and open streams may hold together, in bytes: the largest request fits in, with its list. */
const MOST_BYTES = 10 * 1024 * 1024;

/**
 * Counts what clients make the server remember. If it is too much, the connection that holds most is closed. Spark's service
 * closes connections when too many chunks are under way (`spark.shuffle.maxChunksBeingTransferred`), because clients then try
 * again later; they do not after an answer that says no.
 */
export class RequestMemory {
  readonly #holders = new Set<MemoryHolder>();
  readonly #overloaded: () => void;
  #held = 0;

  /** @param overloaded is called when a connection is closed for that */
  constructor(overloaded: () => void) {
    this.#overloaded = overloaded;
  }

  get held(): number {
    return this.#held;
  }

  add(holder: MemoryHolder): void {
    this.#holders.add(holder);
  }

  /** The connection holds nothing any more. */
  delete(holder: MemoryHolder): void {
    this.#holders.delete(holder);
  }

  /** @param bytes how much more, or less */
  changed(bytes: number): void {
    this.#held += bytes;
    if (bytes <= 0 || this.#held <= MOST_BYTES) return;
    let most: MemoryHolder | undefined;
    for (const holder of this.#holders) if (most === undefined || holder.held > most.held) most = holder;
    this.#overloaded();
    most?.close();
  }
}
