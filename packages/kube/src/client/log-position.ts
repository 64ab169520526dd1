import type { LogStream } from "./logs.ts";
import type { LogOptions } from "./options.ts";

/** How far a log has been read: the time of the last line, and how many lines had exactly that time. */
export interface LogPosition {
  /** RFC 3339, as the container's runtime wrote it. */
  readonly time: string;
  readonly lines: number;
}

/** A line of a log that was asked for with its times. */
export interface LogLine {
  /** Missing for what a runtime wrote without a time, and for the rest of a line that comes in pieces. */
  readonly time: string | undefined;
  readonly text: string;
  /** How far the log has been read with this line. */
  readonly position: LogPosition | undefined;
}

/** The options that begin a log after a position; nothing else limits where it begins. */
export function logOptionsAfter(options: LogOptions, position: LogPosition | undefined): LogOptions {
  if (position === undefined) return options;
  const { sinceSeconds: _seconds, tailLines: _lines, ...rest } = options;
  // Kubernetes reads `sinceTime` to the second.
  return { ...rest, sinceTime: position.time.replace(/\.\d+/, "") };
}

/**
 * The lines of a log after a position. The log must have been asked for with its times, and with {@link logOptionsAfter}: a
 * server resumes at whole seconds, so the first lines may have been read before.
 */
export async function* logLinesAfter(
  stream: Pick<LogStream, "lines">,
  after: LogPosition | undefined,
): AsyncGenerator<LogLine, void> {
  let position = after;
  let repeated = 0;
  for await (const line of stream.lines()) {
    const { time, text } = splitTime(line);
    if (time !== undefined && after !== undefined && compareTimes(time, after.time) <= 0) {
      if (compareTimes(time, after.time) < 0 || repeated++ < after.lines) continue;
    }
    if (time !== undefined) position = advance(position, time);
    yield { time, text, position };
  }
}

function advance(position: LogPosition | undefined, time: string): LogPosition {
  const isSame = position !== undefined && compareTimes(time, position.time) === 0;
  return { time, lines: isSame ? position.lines + 1 : 1 };
}

/** `2026-01-01T00:00:00.123456789Z the line` */
function splitTime(line: string): { time: string | undefined; text: string } {
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)) ?/.exec(line);
  return match === null ? { time: undefined, text: line } : { time: match[1], text: line.slice(match[0].length) };
}

/** Times of one container share their zone; their fractions may differ in length, as Go drops zeros at the end. */
function compareTimes(one: string, other: string): number {
  const [a, b] = [sortable(one), sortable(other)];
  return a < b ? -1 : a > b ? 1 : 0;
}

function sortable(time: string): string {
  const [, seconds = "", fraction = ""] = /^(.{19})(?:\.(\d+))?/.exec(time) ?? [];
  return seconds + fraction.padEnd(9, "0");
}
