import { type ChildOptions, runChild } from "./run-child.ts";

/**
 * Runs a program as {@link runChild} does, to which all interrupts of the terminal belong: a shell ends a query with one, and
 * goes on. Without this, the second one would end this process before the program.
 *
 * @returns its exit code
 * @throws KindlingError `UNSUPPORTED` if it cannot be run
 */
export async function runInterruptible(
  program: string,
  args: readonly string[],
  options: ChildOptions,
): Promise<number> {
  const goOn = (): void => undefined;
  process.on("SIGINT", goOn);
  try {
    return await runChild(program, args, options);
  } finally {
    process.off("SIGINT", goOn);
  }
}
