import {
  cronField,
  DAY_OF_MONTH,
  DAY_OF_WEEK,
  HOUR,
  MINUTE,
  MONTH,
  type CronBounds,
  type CronField,
} from "./cron-field.ts";
import { goDuration } from "./go-duration.ts";
import { ScheduleSyntaxError } from "./schedule-syntax-error.ts";
import type { TimeZone, TimeZones } from "./time-zones.ts";

export type Schedule = CronSchedule | DelaySchedule;

/** Times that clocks in a zone show. */
export interface CronSchedule {
  readonly kind: "cron";
  readonly minute: CronField;
  readonly hour: CronField;
  readonly dayOfMonth: CronField;
  readonly month: CronField;
  readonly dayOfWeek: CronField;
  readonly zone: TimeZone;
}

/** `@every`: a fixed delay after the time that is given. */
export interface DelaySchedule {
  readonly kind: "delay";
  /** Whole seconds, at least one. */
  readonly delayMs: number;
}

export interface ScheduleZones {
  /** For a schedule that names none. */
  readonly zone: TimeZone;
  readonly zones: TimeZones;
}

/**
 * Reads a schedule as robfig/cron 3.0.1 does (parser.go, `ParseStandard`): five fields or a descriptor, after `TZ=zone`
 * or `CRON_TZ=zone` if it names its own.
 *
 * @throws ScheduleSyntaxError
 */
export function parseSchedule(text: string, { zone, zones }: ScheduleZones): Schedule {
  if (!text.startsWith("TZ=") && !text.startsWith("CRON_TZ=")) return parseInZone(text.trim(), zone);
  const end = text.indexOf(" ");
  // Here robfig/cron panics.
  if (end === -1) throw new ScheduleSyntaxError(`there is no schedule after the time zone: ${text}`);
  const name = text.slice(text.indexOf("=") + 1, end);
  const own = zones.find(name);
  if (own === undefined) throw new ScheduleSyntaxError(`provided bad location ${name}: unknown time zone ${name}`);
  return parseInZone(text.slice(end).trim(), own);
}

const EVERY = "@every ";

const DESCRIPTORS: ReadonlyMap<string, string> = new Map([
  ["@yearly", "0 0 1 1 *"],
  ["@annually", "0 0 1 1 *"],
  ["@monthly", "0 0 1 * *"],
  ["@weekly", "0 0 * * 0"],
  ["@daily", "0 0 * * *"],
  ["@midnight", "0 0 * * *"],
  ["@hourly", "0 * * * *"],
]);

function parseInZone(text: string, zone: TimeZone): Schedule {
  if (text.startsWith(EVERY)) return every(text);
  const fields = DESCRIPTORS.get(text) ?? text;
  if (fields.startsWith("@")) throw new ScheduleSyntaxError(`unrecognized descriptor: ${text}`);
  return cron(fields, zone);
}

function every(text: string): DelaySchedule {
  const seconds = durationIn(text) / 1_000_000_000n;
  return { kind: "delay", delayMs: Math.max(Number(seconds), 1) * 1000 };
}

function durationIn(text: string): bigint {
  try {
    return goDuration(text.slice(EVERY.length));
  } catch (error) {
    if (!(error instanceof ScheduleSyntaxError)) throw error;
    throw new ScheduleSyntaxError(`failed to parse duration ${text}: ${error.message}`);
  }
}

function cron(text: string, zone: TimeZone): CronSchedule {
  const fields = text.split(/\s+/).filter((field) => field !== "");
  if (fields.length !== 5)
    throw new ScheduleSyntaxError(`expected exactly 5 fields, found ${fields.length}: [${fields.join(" ")}]`);
  const field = (index: number, bounds: CronBounds): CronField => cronField(fields[index] ?? "", bounds);
  return {
    kind: "cron",
    minute: field(0, MINUTE),
    hour: field(1, HOUR),
    dayOfMonth: field(2, DAY_OF_MONTH),
    month: field(3, MONTH),
    dayOfWeek: field(4, DAY_OF_WEEK),
    zone,
  };
}
