/** Functions that undo what has been begun. */
export interface Undo {
  /** The last added function is called first. */
  add(step: () => unknown): void;
  /** Called last of all: for what reports that the rest is ending. */
  addLast(step: () => unknown): void;
  /** Calls all functions, one after the other. It does so only once, however often it is called. */
  run(): Promise<void>;
}

/** @returns one without functions */
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
