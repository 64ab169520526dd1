/** Whether a text may have colours. */
export interface Palette {
  readonly colors: boolean;
}

/** Where a command writes: results to `out`, everything else to `err`, whose colours are those of the output itself. */
export interface Output extends Palette {
  out(text: string): void;
  err(text: string): void;
  /** The colours of what goes to `out`, which may be a file while `err` is a terminal. */
  readonly onOut: Palette;
  /** Whether `err` is a terminal at all, so that a person watches. */
  readonly interactive: boolean;
}

const CODES = { red: 31, green: 32, yellow: 33, dim: 2, bold: 1 } as const;

/** Colours a text where colours are wanted. */
export function paint({ colors }: Palette, color: keyof typeof CODES, text: string): string {
  return colors ? `\u001B[${CODES[color]}m${text}\u001B[0m` : text;
}

/** The process's own streams. NO_COLOR (no-color.org) and TERM=dumb turn colours off, FORCE_COLOR on. */
export function processOutput(env: Readonly<Record<string, string | undefined>>): Output {
  const forced = env["FORCE_COLOR"] !== undefined && env["FORCE_COLOR"] !== "0";
  const refused = (env["NO_COLOR"] ?? "") !== "" || env["TERM"] === "dumb";
  const colorsOf = ({ isTTY }: { readonly isTTY: boolean }): boolean => !refused && (isTTY || forced);
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    colors: colorsOf(process.stderr),
    onOut: { colors: colorsOf(process.stdout) },
    interactive: process.stderr.isTTY,
  };
}
