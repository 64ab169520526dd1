import type { MemoryPlan } from "./memory-plan.ts";

/** Of so many applications, each has a first part for sure, whatever others have. */
const APPLICATIONS_WITH_A_FIRST_PART = 80;
/** Enough for some fifty executors; more for sure would leave less to share where it is needed. */
const LARGEST_FIRST_PART = 1024 * 1024;
/** Where there is little memory, first parts are nearly all of it. */
const MOST_FOR_FIRST_PARTS = 15 / 16;
/** Of what is shared, one application alone gets two thirds, and two get two fifths each. */
const SHARE_FACTOR = 2;

/**
 * The memory that all applications share. Some of it is kept for first parts: each application has one, which
 * nobody else can take. Beyond its first part an application may take more while it has no more than twice what is free of the
 * rest (the dynamic threshold of Choudhury and Hahne, 1998), so that who comes later finds some as well.
 */
export class KeptMemory {
  readonly #total: number;
  readonly #perApplication: number;
  readonly #first: number;
  readonly #shared: number;
  #held = 0;
  #beyond = 0;

  constructor({ kept, keptPerApplication }: Pick<MemoryPlan, "kept" | "keptPerApplication">) {
    this.#total = kept;
    this.#perApplication = keptPerApplication;
    this.#first = Math.min(LARGEST_FIRST_PART, (kept * MOST_FOR_FIRST_PARTS) / APPLICATIONS_WITH_A_FIRST_PART);
    this.#shared = kept - this.#first * APPLICATIONS_WITH_A_FIRST_PART;
  }

  /** What one application could have if there were no other, in bytes. */
  get most(): number {
    return Math.min(this.#perApplication, this.#first + (this.#shared * SHARE_FACTOR) / (1 + SHARE_FACTOR));
  }

  /** How many bytes are held by all. */
  get held(): number {
    return this.#held;
  }

  /** How many bytes more an application may take that holds so many. */
  roomBeside(held: number): number {
    const beyond = Math.max(0, held - this.#first);
    const fair = (SHARE_FACTOR * (this.#shared - this.#beyond) - beyond) / (1 + SHARE_FACTOR);
    const room = Math.max(0, this.#first - held) + Math.max(0, fair);
    return Math.max(0, Math.min(room, this.#total - this.#held, this.#perApplication - held));
  }

  /** An application that held so many bytes holds another amount from now on. */
  change(from: number, to: number): void {
    this.#held += to - from;
    this.#beyond += Math.max(0, to - this.#first) - Math.max(0, from - this.#first);
  }
}
