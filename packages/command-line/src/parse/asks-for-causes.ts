/** Whether a command line asks for the causes of errors: `--verbose` or `-v` before any `--`. */
export function asksForCauses(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  const own = end < 0 ? argv : argv.slice(0, end);
  return own.includes("--verbose") || own.includes("-v");
}
