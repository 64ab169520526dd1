import { terminalLine, terminalText, type Redactor } from "@kindling/core-spec";

/** Whether a text may have colours. */
export interface Palette {
  readonly colors: boolean;
}

/**
 * Where a command writes: results to `out`, everything else to `err`, whose colours are those of the output itself. No
 * secret that is known gets past here, and nothing from outside acts on a terminal.
 */
export interface Output extends Palette {
  out(text: string): void;
  err(text: string): void;
  /** A result that may hold secrets because somebody asked for them, or has been freed of them before. */
  exact(text: string): void;
  /** A line of an application's log: as it is, but on a terminal. */
  log(line: string): void;
  /** Writes the last line of `err` anew, where that is a terminal. */
  rewrite(line: string): void;
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

const CLEAR_LINE = "\r\u001B[K";

/**
 * The process's own streams. NO_COLOR (no-color.org) and TERM=dumb turn colours off, FORCE_COLOR on.
 *
 * @param secrets knows what may not be shown
 */
export function processOutput(env: Readonly<Record<string, string | undefined>>, secrets: Redactor): Output {
  const forced = env["FORCE_COLOR"] !== undefined && env["FORCE_COLOR"] !== "0";
  const refused = (env["NO_COLOR"] ?? "") !== "" || env["TERM"] === "dumb";
  const colorsOf = ({ isTTY }: { readonly isTTY: boolean }): boolean => !refused && (isTTY || forced);
  const exact = (text: string): void => void process.stdout.write(process.stdout.isTTY ? terminalText(text) : text);
  const clean = (text: string): string => terminalText(secrets.clean(text));
  return {
    out: (text) => exact(secrets.clean(text)),
    err: (text) => void process.stderr.write(clean(text)),
    exact,
    log: (line) => void process.stdout.write(`${process.stdout.isTTY ? terminalLine(line) : line}\n`),
    rewrite: (line) => void (process.stderr.isTTY && process.stderr.write(CLEAR_LINE + clean(line))),
    colors: colorsOf(process.stderr),
    onOut: { colors: colorsOf(process.stdout) },
    interactive: process.stderr.isTTY,
  };
}
