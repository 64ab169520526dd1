import type { LogLine, LogQuery } from "../logs.ts";

/** The log of one run of a hollow container, in memory. */
export class HollowLog {
  readonly #lines: LogLine[] = [];
  readonly #wakers = new Set<() => void>();
  #closed = false;

  write(time: number, text: string): void {
    this.#lines.push({ time, text });
    this.#wake();
  }

  /** No more lines will come. */
  close(): void {
    this.#closed = true;
    this.#wake();
  }

  async *read({ tailLines, since, follow, signal }: LogQuery): AsyncGenerator<LogLine> {
    const first = tailLines === undefined ? 0 : Math.max(0, this.#lines.length - tailLines);
    for (let at = first; ; at += 1) {
      while (at >= this.#lines.length) {
        if (!follow || this.#closed || signal.aborted) return;
        await this.#next(signal);
      }
      const line = this.#lines[at];
      if (line !== undefined && (since === undefined || line.time >= since)) yield line;
    }
  }

  #wake(): void {
    for (const wake of this.#wakers) wake();
    this.#wakers.clear();
  }

  async #next(signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        this.#wakers.delete(wake);
        // A reader that follows for long waits for thousands of lines with the same signal.
        signal.removeEventListener("abort", wake);
        resolve();
      };
      this.#wakers.add(wake);
      signal.addEventListener("abort", wake, { once: true });
    });
  }
}
