/** A set of keys kept in order, so that lists need no sorting. */
export class SortedKeys {
  readonly #keys: string[] = [];

  add(key: string): void {
    this.#keys.splice(this.indexOf(key), 0, key);
  }

  delete(key: string): void {
    const index = this.indexOf(key);
    if (this.#keys[index] === key) this.#keys.splice(index, 1);
  }

  /** The place of the first key that is not less than `key`. */
  indexOf(key: string): number {
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#keys[middle] ?? "") < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The keys that begin with `prefix`, in order, from `start` on. */
  *withPrefix(prefix: string, start: string = prefix): Generator<string> {
    for (let index = this.indexOf(start > prefix ? start : prefix); index < this.#keys.length; index += 1) {
      const key = this.#keys[index] ?? "";
      if (!key.startsWith(prefix)) return;
      yield key;
    }
  }
}
