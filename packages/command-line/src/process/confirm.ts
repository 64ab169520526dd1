import { KindlingError } from "@kindling/core-spec";

/**
 * Asks on this process's terminal a question that is answered with yes or no; the end of the input is a no.
 *
 * @param interrupt is aborted when the user presses Ctrl-C, which the terminal gives as a key while it asks
 * @throws KindlingError `INTERRUPTED`
 */
export async function confirmOnTerminal(question: string, interrupt: AbortController): Promise<boolean> {
  const { createInterface } = await import("node:readline/promises");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  terminal.on("SIGINT", () => interrupt.abort("SIGINT"));
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `, { signal: interrupt.signal })).trim());
  } catch {
    process.stderr.write("\n");
    if (interrupt.signal.aborted) throw new KindlingError("INTERRUPTED", "interrupted");
    return false;
  } finally {
    terminal.close();
  }
}
