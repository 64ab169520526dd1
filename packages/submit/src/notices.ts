const NOTICES = Symbol.for("@kindling/submit/notices");

/** What the user should know and is no error: each thing once, in order. */
export class Notices {
  readonly #all: Set<string>;

  constructor(before: readonly string[] = []) {
    this.#all = new Set(before);
  }

  readonly add = (message: string): void => void this.#all.add(message);

  get all(): readonly string[] {
    return [...this.#all];
  }

  /** Leaves what is known so far with an error that ends the work: it may tell why. */
  leaveWith(error: unknown): void {
    if (error instanceof Error) Object.defineProperty(error, NOTICES, { value: this.all, configurable: true });
  }
}

/** What was worth knowing before gathering or planning ended in this error. */
export function noticesOf(error: unknown): readonly string[] {
  const left: unknown = error instanceof Error ? Reflect.get(error, NOTICES) : undefined;
  return Array.isArray(left) ? left.filter((notice) => typeof notice === "string") : [];
}
