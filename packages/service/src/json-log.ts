import { harmlessText } from "@kindling/core-spec";
import type { Clock } from "@kindling/outside";

export type LogLevel = "debug" | "info" | "warn" | "error";

/** Receives log lines, each a JSON document with its line end. */
export interface LogDestination {
  write(line: string): void;
}

export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** Writes lines of a constant message with fields. Requests must never be logged, because they contain tokens. */
export type Log = Readonly<Record<LogLevel, (message: string, fields?: LogFields) => void>>;

const LEVELS: readonly LogLevel[] = ["debug", "info", "warn", "error"];
/** Longer texts, for example of other servers, are shortened to this. */
const LONGEST_TEXT = 2_048;

/** @param least lines below this level are left out */
export function jsonLog(destination: LogDestination, clock: Clock, least: LogLevel): Log {
  const writer =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}) => {
      if (LEVELS.indexOf(level) < LEVELS.indexOf(least)) return;
      const safe = Object.entries(fields).map(([name, value]) => [
        name,
        typeof value === "string" ? short(value) : value,
      ]);
      const line = { level, time: new Date(clock.now()).toISOString(), msg: message, ...Object.fromEntries(safe) };
      destination.write(`${JSON.stringify(line)}\n`);
    };
  return { debug: writer("debug"), info: writer("info"), warn: writer("warn"), error: writer("error") };
}

function short(text: string): string {
  return harmlessText(text.slice(0, LONGEST_TEXT));
}
