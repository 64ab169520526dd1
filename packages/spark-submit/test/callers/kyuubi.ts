/**
 * The text that Kyuubi treats as the cause of a failed start (master of 2026-08, `ProcBuilder.start` and
 * `containsException`): the last line with an exception that is not part of a stack trace, with the lines that belong to it.
 */
export function kyuubiError(lines: readonly string[]): string | undefined {
  let error: string | undefined;
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? "";
    if (!containsException(line) || line.includes("at ") || line.startsWith("Caused by:")) continue;
    error = line;
    for (let next = lines[++index]; next !== undefined && belongs(next); next = lines[++index]) error += `\n${next}`;
  }
  return error;
}

function belongs(line: string): boolean {
  return containsException(line) || line.startsWith("\tat ") || line.startsWith("Caused by: ");
}

function containsException(line: string): boolean {
  const lower = line.toLowerCase();
  return lower.includes("exception:") || lower.includes("exception in thread");
}
