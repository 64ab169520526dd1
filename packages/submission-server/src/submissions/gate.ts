import { ProblemError } from "../errors/problem-error.ts";

export interface GateOptions {
  /** How many may be inside at once. */
  readonly most: number;
  /** How many of them may be of one subject. */
  readonly mostPerSubject: number;
  /** What they are, for who is turned away: `submissions`. */
  readonly what: string;
}

/** Lets in so many at once, in all and of each subject, and turns away the next: nobody waits in here. */
export class Gate {
  readonly #options: GateOptions;
  readonly #bySubject = new Map<string, number>();
  #inside = 0;

  constructor(options: GateOptions) {
    this.#options = options;
  }

  get inside(): number {
    return this.#inside;
  }

  /**
   * @returns lets out again; calls behind the first do nothing
   * @throws ProblemError `overloaded`
   */
  enter(subject: string): () => void {
    const { most, mostPerSubject, what } = this.#options;
    const own = this.#bySubject.get(subject) ?? 0;
    if (this.#inside >= most) throw new ProblemError("overloaded", `${most} ${what} are under way, which is the most`);
    if (own >= mostPerSubject)
      throw new ProblemError("overloaded", `${own} ${what} of yours are under way, which is the most for one client`);
    this.#inside += 1;
    this.#bySubject.set(subject, own + 1);
    let isInside = true;
    return () => {
      if (!isInside) return;
      isInside = false;
      this.#inside -= 1;
      const left = (this.#bySubject.get(subject) ?? 1) - 1;
      if (left === 0) this.#bySubject.delete(subject);
      else this.#bySubject.set(subject, left);
    };
  }
}
