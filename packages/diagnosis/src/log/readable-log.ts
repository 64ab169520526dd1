import type { Evidence } from "../evidence/evidence.ts";
import { jsonRecord } from "./json-record.ts";

type Log = Pick<Evidence, "log" | "logTimes">;

// ECMA-48, 8.3.117: colours, which some layouts of log4j write.
const COLOURS = /\u001B\[[\d;:]*m/g;

/** The limit for a line; the words about a failure are near its beginning. */
const MOST_CHARACTERS = 8192;

/**
 * A log in the form that the rules read: without colours, and with JSON records as lines of text, each with the time of its
 * record.
 */
export function readableLog({ log, logTimes }: Log): Log {
  if (log === undefined) return { log, logTimes };
  const lines: string[] = [];
  const times: string[] = [];
  for (const [index, given] of log.entries()) {
    const line = (given.includes("\u001B") ? given.replaceAll(COLOURS, "") : given).replace(/\r$/, "");
    for (const shown of jsonRecord(line) ?? [line]) {
      lines.push(shown.length > MOST_CHARACTERS ? shown.slice(0, MOST_CHARACTERS) : shown);
      times.push(logTimes?.[index] ?? "");
    }
  }
  return { log: lines, logTimes: logTimes === undefined ? undefined : times };
}
