/** The error that ended an R script: its lines up to `Execution halted`. */
export function rError(lines: readonly string[]): readonly string[] | undefined {
  const halted = lines.lastIndexOf("Execution halted");
  if (halted < 0) return undefined;
  for (let at = halted - 1; at >= Math.max(0, halted - 8); at--)
    if (/^Error(?:[: ]|$)/.test(lines[at] ?? "")) return lines.slice(at, halted).slice(0, 3);
  return undefined;
}
