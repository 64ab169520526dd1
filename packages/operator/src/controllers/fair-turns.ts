/**
 * Keys that wait, `<namespace>/<name>`, of which each namespace has one taken in its turn: a thousand of one namespace hold
 * up a single one of another no longer than one does. Within a namespace, who came first goes first. Answers of the API
 * server and failures are none of its business: who takes a key adds it again, if need be.
 */
export class FairTurns {
  /** The namespace whose turn is next comes first. */
  readonly #byNamespace = new Map<string, Set<string>>();
  readonly #takers: ((key: string | undefined) => void)[] = [];
  #size = 0;
  #isShutDown = false;

  /** How many keys wait. */
  get size(): number {
    return this.#size;
  }

  /** A key that waits already keeps its place. */
  add(key: string): void {
    if (this.#isShutDown) return;
    const taker = this.#takers.shift();
    if (taker !== undefined) return taker(key);
    const namespace = key.slice(0, key.indexOf("/"));
    const waiting = this.#byNamespace.get(namespace) ?? new Set();
    this.#byNamespace.set(namespace, waiting);
    this.#size -= waiting.size;
    waiting.add(key);
    this.#size += waiting.size;
  }

  /** The next key, once there is one; undefined after the end, when none is left. */
  get(): Promise<string | undefined> {
    if (this.#size > 0 || this.#isShutDown) return Promise.resolve(this.#take());
    return new Promise((resolve) => this.#takers.push(resolve));
  }

  /** Takes no more keys; those that wait are still given out. */
  shutDown(): void {
    this.#isShutDown = true;
    for (const taker of this.#takers.splice(0)) taker(undefined);
  }

  #take(): string | undefined {
    for (const [namespace, waiting] of this.#byNamespace) {
      this.#byNamespace.delete(namespace);
      for (const key of waiting) {
        waiting.delete(key);
        this.#size -= 1;
        // Its next turn comes after those of all others.
        if (waiting.size > 0) this.#byNamespace.set(namespace, waiting);
        return key;
      }
    }
    return undefined;
  }
}
