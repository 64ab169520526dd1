/** What has been begun, and how each of it ends. */
export interface Undo {
  /** The last that was added is undone first. */
  add(step: () => unknown): void;
  /** To be undone last of all: what says that the rest is ending. */
  addLast(step: () => unknown): void;
  /** Undoes all of it, one after the other. However often it is called, that is done once. */
  run(): Promise<void>;
}

/** @returns an empty one */
export function createUndo(): Undo {
  const steps: (() => unknown)[] = [];
  let undone: Promise<void> | undefined;

  async function undo(): Promise<void> {
    for (const step of steps.toReversed()) await step();
  }

  return {
    add: (step) => void steps.push(step),
    addLast: (step) => void steps.unshift(step),
    run: () => (undone ??= undo()),
  };
}
