const MOST = 1000;

/** The last calls that were reset here: their rest may still be on its way. */
export class ResetCalls {
  readonly #streams = new Set<number>();

  add(stream: number): void {
    this.#streams.add(stream);
    if (this.#streams.size <= MOST) return;
    const [oldest] = this.#streams;
    if (oldest !== undefined) this.#streams.delete(oldest);
  }

  has(stream: number): boolean {
    return this.#streams.has(stream);
  }
}
