import { KindlingError } from "@kindling/core-spec";

/**
 * Asks a yes/no question on this process's terminal; the end of the input means no.
 *
 * @param interrupt is aborted when the user presses Ctrl-C, which the terminal sends as a key during the question
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
