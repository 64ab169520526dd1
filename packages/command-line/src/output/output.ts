import { terminalLine, terminalText, type Redactor } from "@kindling/core-spec";
import type { Env } from "@kindling/outside";
import type { Palette } from "./palette.ts";

/**
 * Where a command writes: results to `out`, everything else to `err`. The colours of the output itself are those of `err`. No
 * known secret passes here, and no text from outside can control a terminal.
 */
export interface Output extends Palette {
  out(text: string): void;
  err(text: string): void;
  /** A result that may contain secrets because the user asked for them, or that has been cleaned before. */
  exact(text: string): void;
  /** A result that replaces the one before: on a terminal only this one is visible. */
  page(text: string): void;
  /** A line of an application's log: unchanged, except on a terminal. */
  log(line: string): void;
  /** Rewrites the last line of `err` if it is a terminal; a text that is too long is cut off. */
  rewrite(line: string): void;
  /** The current width of `err` in characters: terminals can be resized. */
  readonly columns: number;
  /** The colours of `out`, which may be a file while `err` is a terminal. */
  readonly onOut: Palette;
  /** Whether `err` is a terminal, so that a person may be watching. */
  readonly interactive: boolean;
}

/** The part of a process's stream that an output needs. */
export interface TextStream {
  readonly isTTY: boolean;
  /** The width of a terminal. */
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

const CLEAR_LINE = "\r\u001B[K";
const CLEAR_SCREEN = "\u001B[H\u001B[2J";

// The traditional width of terminals; some terminals report nothing, or 0.
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
      // A line that wraps could not be rewritten.
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
