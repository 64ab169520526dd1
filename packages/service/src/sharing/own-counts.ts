/** How much each caller has under way. */
export class OwnCounts {
  readonly #counts = new Map<string, number>();

  of(caller: string): number {
    return this.#counts.get(caller) ?? 0;
  }

  /** @returns a function that takes it back; only its first call has an effect */
  add(caller: string, count = 1): () => void {
    this.#counts.set(caller, this.of(caller) + count);
    let isUnderWay = true;
    return () => {
      if (!isUnderWay) return;
      isUnderWay = false;
      const left = this.of(caller) - count;
      if (left === 0) this.#counts.delete(caller);
      else this.#counts.set(caller, left);
    };
  }
}
