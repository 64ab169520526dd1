import { KindlingError, quotedName } from "@kindling/core-spec";
import { goDuration } from "../schedule/cron/go-duration.ts";

/** Reads values of flags. Each throws KindlingError `ARGUMENT_INVALID` that names the flag and says what would be right. */
export interface FlagValues {
  text(name: string): string | undefined;
  oneOf<T extends string>(name: string, choices: readonly T[]): T;
  isOn(name: string): boolean;
  /** @param least the lowest number that makes sense */
  count(name: string, least: number): number;
  number(name: string): number | undefined;
  milliseconds(name: string): number;
  list(name: string): readonly string[];
  numbers(name: string): readonly number[];
  json(name: string): unknown;
}

/** @param written the last value of a flag, its default if it was not written; of lists all values, behind commas */
export function flagValues(written: (name: string) => string): FlagValues {
  const fault = (name: string, wanted: string): KindlingError =>
    new KindlingError("ARGUMENT_INVALID", `--${name} has to be ${wanted}, and is ${quotedName(written(name))}`);

  const values: FlagValues = {
    text: (name) => (written(name) === "" ? undefined : written(name)),
    oneOf(name, choices) {
      const found = choices.find((choice) => choice === written(name));
      if (found === undefined) throw fault(name, `one of ${choices.join(", ")}`);
      return found;
    },
    isOn(name) {
      const text = written(name);
      if (TRUE.has(text)) return true;
      if (FALSE.has(text)) return false;
      throw fault(name, "true or false");
    },
    count(name, least) {
      const text = written(name);
      const number = Number(text);
      if (!/^\d{1,15}$/.test(text) || number < least) throw fault(name, `a whole number of at least ${least}`);
      return number;
    },
    number(name) {
      const text = written(name);
      if (text === "") return undefined;
      const number = Number(text);
      if (!Number.isFinite(number) || number < 0) throw fault(name, "a number that is not negative");
      return number;
    },
    milliseconds(name) {
      const nanos = durationOf(written(name));
      if (nanos === undefined || nanos < 0n) throw fault(name, "a duration such as 30s or 1h30m");
      return Number(nanos / 1_000_000n);
    },
    list: (name) =>
      written(name)
        .split(",")
        .filter((part) => part !== ""),
    numbers(name) {
      const numbers = values.list(name).map(Number);
      if (numbers.some((number) => !Number.isFinite(number))) throw fault(name, "numbers with commas between them");
      return numbers;
    },
    json(name) {
      const text = written(name);
      if (text === "") return undefined;
      try {
        return JSON.parse(text) as unknown;
      } catch {
        throw fault(name, "JSON");
      }
    },
  };
  return values;
}

// As Go's strconv.ParseBool.
const TRUE = new Set(["1", "t", "T", "true", "TRUE", "True"]);
const FALSE = new Set(["0", "f", "F", "false", "FALSE", "False"]);

function durationOf(text: string): bigint | undefined {
  try {
    return goDuration(text);
  } catch {
    return undefined;
  }
}
