import { tooManyRequests } from "@kindling/api-server";
import type { ApplicationMemory } from "./application-memory.ts";

/** Spark's client reads one list at a time, and has one watch or two. */
const FREE = 2;
/** The part of an object's memory that its bytes take when they are sent to a reader. */
const BYTES_PART = 1 / 4;

/**
 * Readers (lists and watches) of one application's objects. A reader may be slow, and keeps the objects in memory as they
 * were when it began. So if there are more than two, they must fit into the application's memory.
 */
export class Readers {
  readonly #memory: ApplicationMemory;
  #count = 0;

  constructor(memory: ApplicationMemory) {
    this.#memory = memory;
  }

  /**
   * Begins to read; returns a function to call at the end.
   *
   * @throws ApiError 429
   */
  begin(): () => void {
    const release = this.#count < FREE ? () => undefined : this.#memory.borrow(this.#memory.held * BYTES_PART);
    if (release === undefined) {
      throw tooManyRequests(
        "there is no memory for so many lists and watches of one application at once; end some of them",
        1,
      );
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
