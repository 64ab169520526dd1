import { terminalLine, terminalText, type Redactor } from "@kindling/core-spec";
import type { Env } from "@kindling/outside";
import type { Palette } from "./palette.ts";

/**
 * Where a command writes: results to `out`, everything else to `err`, whose colours are those of the output itself. No
 * secret that is known gets past here, and nothing from outside acts on a terminal.
 */
export interface Output extends Palette {
  out(text: string): void;
  err(text: string): void;
  /** A result that may hold secrets because somebody asked for them, or has been freed of them before. */
  exact(text: string): void;
  /** A result in the place of the one before: on a terminal the only one that is seen. */
  page(text: string): void;
  /** A line of an application's log: as it is, but on a terminal. */
  log(line: string): void;
  /** Writes the last line of `err` anew, where that is a terminal; what does not fit on it is cut off. */
  rewrite(line: string): void;
  /** How many characters a line of `err` holds, as of now: terminals are resized. */
  readonly columns: number;
  /** The colours of what goes to `out`, which may be a file while `err` is a terminal. */
  readonly onOut: Palette;
  /** Whether `err` is a terminal at all, so that a person watches. */
  readonly interactive: boolean;
}

/** The part of a process's stream that an output is made of. */
export interface TextStream {
  readonly isTTY: boolean;
  /** Of a terminal. */
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

const CLEAR_LINE = "\r\u001B[K";
const CLEAR_SCREEN = "\u001B[H\u001B[2J";

// What terminals have had since there are terminals; some tell nothing, or 0.
const USUAL_COLUMNS = 80;

function columnsOf({ columns }: TextStream): number {
  return columns === undefined || columns < 1 ? USUAL_COLUMNS : columns;
}

/**
 * An output to two streams. NO_COLOR (no-color.org) and TERM=dumb turn colours off, FORCE_COLOR on.
 *
 * @param secrets knows what may not be shown
 */
export function streamOutput(
  { stdout, stderr }: { readonly stdout: TextStream; readonly stderr: TextStream },
  env: Env,
  secrets: Redactor,
): Output {
  const forced = env["FORCE_COLOR"] !== undefined && env["FORCE_COLOR"] !== "0";
  const refused = (env["NO_COLOR"] ?? "") !== "" || env["TERM"] === "dumb";
  const colorsOf = ({ isTTY }: TextStream): boolean => !refused && (isTTY || forced);
  const exact = (text: string): void => void stdout.write(stdout.isTTY ? terminalText(text) : text);
  const clean = (text: string): string => terminalText(secrets.clean(text));
  return {
    out: (text) => exact(secrets.clean(text)),
    err: (text) => void stderr.write(clean(text)),
    exact,
    page(text) {
      if (stdout.isTTY) stdout.write(CLEAR_SCREEN);
      exact(secrets.clean(text));
    },
    log: (line) => void stdout.write(`${stdout.isTTY ? terminalLine(line) : line}\n`),
    rewrite(line) {
      // A line that wraps could not be written anew.
      if (stderr.isTTY) stderr.write(CLEAR_LINE + clean(line).slice(0, columnsOf(stderr) - 1));
    },
    get columns() {
      return columnsOf(stderr);
    },
    colors: colorsOf(stderr),
    onOut: { colors: colorsOf(stdout) },
    interactive: stderr.isTTY,
  };
}
