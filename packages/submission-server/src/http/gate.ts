import { OwnCounts } from "@kindling/service";
import { ProblemError } from "../errors/problem-error.ts";

export interface GateOptions {
  /** The limit in total. */
  readonly most: number;
  /** The limit for one subject. */
  readonly mostPerSubject: number;
  /** The kind of things that are counted, for the error message: `submissions`. */
  readonly what: string;
}

/** Admits a limited number at the same time, in total and per subject, and refuses the next: nothing waits here. */
export class Gate {
  readonly #options: GateOptions;
  readonly #own = new OwnCounts();
  #inside = 0;

  constructor(options: GateOptions) {
    this.#options = options;
  }

  get inside(): number {
    return this.#inside;
  }

  /**
   * @returns a function that gives the place back; only its first call has an effect
   * @throws ProblemError `overloaded`
   */
  enter(subject: string): () => void {
    const { most, mostPerSubject, what } = this.#options;
    const own = this.#own.of(subject);
    if (this.#inside >= most) throw new ProblemError("overloaded", `${most} ${what} are under way, which is the limit`);
    if (own >= mostPerSubject)
      throw new ProblemError("overloaded", `${own} ${what} of yours are under way, which is one client's limit`);
    this.#inside += 1;
    const leave = this.#own.add(subject);
    let isInside = true;
    return () => {
      if (!isInside) return;
      isInside = false;
      this.#inside -= 1;
      leave();
    };
  }
}
