/** Keeps one copy of texts that many objects have in common, such as the managed fields of pods made from one template. */
export class TextPool {
  readonly #limit: number;
  readonly #texts = new Map<string, string>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The text itself, or an equal one that is already known. */
  share(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    // Which texts are common changes with the load; starting over is cheaper than counting.
    if (this.#texts.size >= this.#limit) this.#texts.clear();
    this.#texts.set(text, text);
    return text;
  }
}
