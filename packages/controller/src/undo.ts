/** What has been begun, and how each of it ends. */
export interface Undo {
  /** The last that was added is undone first. */
  add(step: () => unknown): void;
  /** To be undone last of all: what says that the rest is ending. */
  addLast(step: () => unknown): void;
  /** Undoes all of it, one after the other. What has been undone is not undone again. */
  run(): Promise<void>;
}

/** @returns an empty one */
export function createUndo(): Undo {
  const steps: (() => unknown)[] = [];
  return {
    add: (step) => void steps.push(step),
    addLast: (step) => void steps.unshift(step),
    async run() {
      for (const step of steps.splice(0).reverse()) await step();
    },
  };
}
