import { tooManyRequests } from "@kindling/api-server";
import type { ApplicationMemory } from "./application-memory.ts";

/** Spark's client reads one list at a time, and has one watch or two. */
const FREE = 2;
/** Of what an application's objects take, the part that they take as bytes on their way to a reader. */
const BYTES_PART = 1 / 4;

/**
 * Readers of one application's objects. Each may be slow, and keeps the objects alive as they were when it began: more than
 * two have to fit into the memory that the application may take.
 */
export class Readers {
  readonly #memory: ApplicationMemory;
  #count = 0;

  constructor(memory: ApplicationMemory) {
    this.#memory = memory;
  }

  /**
   * Begins to read; gives what is to be called at the end.
   *
   * @throws ApiError 429
   */
  begin(): () => void {
    const release = this.#count < FREE ? () => undefined : this.#memory.borrow(this.#memory.held * BYTES_PART);
    if (release === undefined) {
      throw tooManyRequests("so many lists and watches of one application at once have no room; end some of them", 1);
    }
    this.#count += 1;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#count -= 1;
      release();
    };
  }
}
