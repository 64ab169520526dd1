/** Where a command writes: results to `out`, everything else to `err`. */
export interface Output {
  out(text: string): void;
  err(text: string): void;
  /** Whether `err` is a terminal that wants colours. */
  readonly colors: boolean;
  /** Whether `err` is a terminal at all, so that a person watches. */
  readonly interactive: boolean;
}

const CODES = { red: 31, green: 32, yellow: 33, dim: 2, bold: 1 } as const;

/** Colours a text where colours are wanted. */
export function paint(output: Output, color: keyof typeof CODES, text: string): string {
  return output.colors ? `\u001B[${CODES[color]}m${text}\u001B[0m` : text;
}

/** The process's own streams. NO_COLOR (no-color.org) and TERM=dumb turn colours off, FORCE_COLOR on. */
export function processOutput(env: Readonly<Record<string, string | undefined>>): Output {
  const interactive = process.stderr.isTTY;
  const forced = env["FORCE_COLOR"] !== undefined && env["FORCE_COLOR"] !== "0";
  const refused = (env["NO_COLOR"] ?? "") !== "" || env["TERM"] === "dumb";
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    colors: !refused && (interactive || forced),
    interactive,
  };
}
