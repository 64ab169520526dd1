import type { MemoryPlan } from "./memory-plan.ts";

/** For this many applications a first part is guaranteed, whatever others use. */
const APPLICATIONS_WITH_A_FIRST_PART = 80;
/** Enough for about fifty executors. A larger guaranteed part would leave less to share. */
const LARGEST_FIRST_PART = 1024 * 1024;
/** If there is little memory, first parts are nearly all of it. */
const MOST_FOR_FIRST_PARTS = 15 / 16;
/** Of the shared part, a single application gets two thirds, and two applications get two fifths each. */
const SHARE_FACTOR = 2;

/**
 * The memory that all applications share. Some of it is kept for first parts: each application has one, which nobody else can
 * take. An application may take more than its first part while it has at most twice what is free of the rest (the dynamic
 * threshold of Choudhury and Hahne, 1998). So later applications find some, too.
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

  /** What a single application could have, in bytes. */
  get most(): number {
    return Math.min(this.#perApplication, this.#first + (this.#shared * SHARE_FACTOR) / (1 + SHARE_FACTOR));
  }

  /** How many bytes all applications hold. */
  get held(): number {
    return this.#held;
  }

  /** How many more bytes an application may take if it already holds so many. */
  roomBeside(held: number): number {
    const beyond = Math.max(0, held - this.#first);
    const fair = (SHARE_FACTOR * (this.#shared - this.#beyond) - beyond) / (1 + SHARE_FACTOR);
    const room = Math.max(0, this.#first - held) + Math.max(0, fair);
    return Math.max(0, Math.min(room, this.#total - this.#held, this.#perApplication - held));
  }

  /** Tells that an application holds `to` bytes instead of `from`. */
  change(from: number, to: number): void {
    this.#held += to - from;
    this.#beyond += Math.max(0, to - this.#first) - Math.max(0, from - this.#first);
  }
}
