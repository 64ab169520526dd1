export interface AttemptContext {
  /** Called for a task that failed; the next round tries again. */
  readonly onError: (task: string, error: unknown) => void;
}

/** A task that fails is tried again in the next round; the others go on. */
export async function attempt({ onError }: AttemptContext, task: string, run: () => Promise<unknown>): Promise<void> {
  try {
    await run();
  } catch (error) {
    onError(task, error);
  }
}
