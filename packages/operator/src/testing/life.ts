/** When a process is killed. */
export interface Death {
  /** Counted from 1; requests of watches and lists do not count. */
  readonly atRequest: number;
  /** Whether that request still reaches the API server; its answer is lost in any case. */
  readonly isSent: boolean;
}

/** The life of a process. It ends with one of its requests, and no promise settles after that. */
export class Life {
  requests = 0;
  readonly died: Promise<void>;
  readonly #death: Death | undefined;
  readonly #onEnd: () => void;
  #isOver = false;
  #tell: () => void = () => undefined;

  /** @param death when; without it the process only counts its requests */
  constructor(death: Death | undefined, onEnd: () => void) {
    this.#death = death;
    this.#onEnd = onEnd;
    this.died = new Promise((resolve) => (this.#tell = resolve));
  }

  async ask<T>(request: () => Promise<T>): Promise<T> {
    if (this.#isOver) return await forEver();
    this.requests += 1;
    const isLast = this.requests === this.#death?.atRequest;
    if (isLast && !this.#death?.isSent) return await this.#die();
    try {
      const answer = await request();
      return isLast ? await this.#die() : this.#isOver ? await forEver() : answer;
    } catch (error) {
      if (isLast) return await this.#die();
      if (this.#isOver) return await forEver();
      throw error;
    }
  }

  async *follow<T>(stream: () => AsyncIterable<T>): AsyncGenerator<T, void> {
    if (this.#isOver) await forEver();
    try {
      for await (const one of stream()) {
        if (this.#isOver) await forEver();
        yield one;
      }
    } catch (error) {
      if (this.#isOver) await forEver();
      throw error;
    }
  }

  #die(): Promise<never> {
    if (!this.#isOver) {
      this.#isOver = true;
      this.#onEnd();
      this.#tell();
    }
    return forEver();
  }
}

function forEver(): Promise<never> {
  return new Promise(() => undefined);
}
