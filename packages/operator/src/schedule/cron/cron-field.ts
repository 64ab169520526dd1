import { ScheduleSyntaxError } from "./schedule-syntax-error.ts";

/** The values that one field of a cron expression allows. */
export interface CronField {
  readonly values: ReadonlySet<number>;
  /** Whether one of its ranges is a star with step one: then this field does not choose days. */
  readonly isStar: boolean;
}

/** What a field may hold. */
export interface CronBounds {
  readonly field: string;
  readonly least: number;
  readonly most: number;
  readonly names: ReadonlyMap<string, number>;
}

const NO_NAMES: ReadonlyMap<string, number> = new Map();

export const MINUTE: CronBounds = { field: "minute", least: 0, most: 59, names: NO_NAMES };
export const HOUR: CronBounds = { field: "hour", least: 0, most: 23, names: NO_NAMES };
export const DAY_OF_MONTH: CronBounds = { field: "day of month", least: 1, most: 31, names: NO_NAMES };
export const MONTH: CronBounds = {
  field: "month",
  least: 1,
  most: 12,
  names: numbered(["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"], 1),
};
export const DAY_OF_WEEK: CronBounds = {
  field: "day of week",
  least: 0,
  most: 6,
  names: numbered(["sun", "mon", "tue", "wed", "thu", "fri", "sat"], 0),
};

function numbered(names: readonly string[], first: number): ReadonlyMap<string, number> {
  return new Map(names.map((name, index) => [name, first + index]));
}

/**
 * Reads one field: ranges with commas between them (robfig/cron 3.0.1, parser.go, `getField`). It skips empty ranges, so
 * a field of commas alone allows nothing.
 *
 * @throws ScheduleSyntaxError that says which field it is
 */
export function cronField(text: string, bounds: CronBounds): CronField {
  const ranges = text.split(",").filter((range) => range !== "");
  try {
    const read = ranges.map((range) => cronRange(range, bounds));
    return { values: new Set(read.flatMap(({ values }) => values)), isStar: read.some(({ isStar }) => isStar) };
  } catch (error) {
    if (!(error instanceof ScheduleSyntaxError)) throw error;
    throw new ScheduleSyntaxError(`${error.message} (${bounds.field})`);
  }
}

interface CronRange {
  readonly values: readonly number[];
  readonly isStar: boolean;
}

/** `number`, `number-number`, `*` or `?`, each with `/step` if need be (`getRange`). */
function cronRange(text: string, bounds: CronBounds): CronRange {
  const [range = "", stepText, ...slashes] = text.split("/");
  const [low = "", high, ...hyphens] = range.split("-");
  // robfig/cron does not read the text after the hyphen of a star either.
  const isStar = low === "*" || low === "?";
  const first = isStar ? bounds.least : numberOrName(low, bounds.names);
  let last = first;
  if (isStar) last = bounds.most;
  else if (hyphens.length > 0) throw new ScheduleSyntaxError(`too many hyphens: ${text}`);
  else if (high !== undefined) last = numberOrName(high, bounds.names);
  let step = 1;
  if (slashes.length > 0) throw new ScheduleSyntaxError(`too many slashes: ${text}`);
  if (stepText !== undefined) {
    step = wholeNumber(stepText);
    // `5/10` is `5-59/10`.
    if (high === undefined) last = bounds.most;
  }
  refuseOutside(text, { first, last, step }, bounds);
  const values: number[] = [];
  for (let value = first; value <= last; value += step) values.push(value);
  return { values, isStar: isStar && step === 1 };
}

function refuseOutside(
  text: string,
  { first, last, step }: { readonly first: number; readonly last: number; readonly step: number },
  { least, most }: CronBounds,
): void {
  if (first < least) throw new ScheduleSyntaxError(`beginning of range (${first}) below minimum (${least}): ${text}`);
  if (last > most) throw new ScheduleSyntaxError(`end of range (${last}) above maximum (${most}): ${text}`);
  if (first > last)
    throw new ScheduleSyntaxError(`beginning of range (${first}) beyond end of range (${last}): ${text}`);
  if (step === 0) throw new ScheduleSyntaxError(`step of range should be a positive number: ${text}`);
}

function numberOrName(text: string, names: ReadonlyMap<string, number>): number {
  return names.get(text.toLowerCase()) ?? wholeNumber(text);
}

/** Reads numbers as Go's `strconv.Atoi`: with or without a sign, of 64 bits at most. */
function wholeNumber(text: string): number {
  const [, sign = "", written] = /^([-+]?)(\d+)$/.exec(text) ?? [];
  if (written === undefined) throw notAnInt(text, "invalid syntax");
  const digits = written.replace(/^0+(?=\d)/, "");
  const limit = (1n << 63n) - (sign === "-" ? 0n : 1n);
  if (digits.length > 19 || BigInt(digits) > limit) throw notAnInt(text, "value out of range");
  if (sign === "-" && digits !== "0")
    throw new ScheduleSyntaxError(`negative number (-${digits}) not allowed: ${text}`);
  return Number(digits);
}

function notAnInt(text: string, why: string): ScheduleSyntaxError {
  return new ScheduleSyntaxError(
    `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: ${why}`,
  );
}
