const NOTICES = Symbol.for("@kindling/submit/notices");

/** Notices for the user that are no errors: each one once, in order. */
export class Notices {
  readonly #all: Set<string>;

  constructor(before: readonly string[] = []) {
    this.#all = new Set(before);
  }

  readonly add = (message: string): void => void this.#all.add(message);

  get all(): readonly string[] {
    return [...this.#all];
  }

  /** Attaches the notices so far to an error that ends the work: they may explain the error. */
  leaveWith(error: unknown): void {
    if (error instanceof Error) Object.defineProperty(error, NOTICES, { value: this.all, configurable: true });
  }
}

/** The notices that were found before gathering or planning ended in this error. */
export function noticesOf(error: unknown): readonly string[] {
  const left: unknown = error instanceof Error ? Reflect.get(error, NOTICES) : undefined;
  return Array.isArray(left) ? left.filter((notice) => typeof notice === "string") : [];
}
