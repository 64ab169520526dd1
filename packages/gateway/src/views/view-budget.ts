/** Whether an object is still there, by what it was counted as. */
export type IsThere = (key: string) => boolean;

/**
 * How much of what a driver has sent is kept for it. Objects that are gone are taken off when there is no room for
 * another: nobody has to tell of their end.
 */
export class ViewBudget {
  readonly #most: number;
  readonly #isThere: IsThere;
  readonly #sizes = new Map<string, number>();
  #sum = 0;

  /** @param most in characters of JSON */
  constructor(most: number, isThere: IsThere) {
    this.#most = most;
    this.#isThere = isThere;
  }

  /** Counts an object; one that was counted before is counted anew. Nothing is counted for which there is no room. */
  take(key: string, size: number): boolean {
    if (!this.#fits(key, size)) this.#forget();
    if (!this.#fits(key, size)) return false;
    this.#sum += size - (this.#sizes.get(key) ?? 0);
    this.#sizes.set(key, size);
    return true;
  }

  #fits(key: string, size: number): boolean {
    return this.#sum - (this.#sizes.get(key) ?? 0) + size <= this.#most;
  }

  #forget(): void {
    for (const [key, size] of this.#sizes) {
      if (this.#isThere(key)) continue;
      this.#sizes.delete(key);
      this.#sum -= size;
    }
  }
}
