import { KindlingError, quotedName } from "@kindling/core-spec";
import { READ, WANTED } from "./flag-kinds.ts";
import type { Flag, FlagKind } from "./flag.ts";
import type { WrittenFlags } from "./parse-words.ts";

/**
 * Reads values of flags: the last value that was written, or the default; for lists, all values that were written. Each
 * throws KindlingError `ARGUMENT_INVALID` that names the flag and says what would be right.
 */
export interface FlagValues {
  isWritten(name: string): boolean;
  /** @returns undefined for an empty text */
  text(name: string): string | undefined;
  oneOf<T extends string>(name: string, choices: readonly T[]): T;
  isOn(name: string): boolean;
  /** A whole number that is not negative. */
  count(name: string): number;
  /** @returns undefined if there is none */
  number(name: string): number | undefined;
  /** A duration that is not negative. */
  milliseconds(name: string): number;
  /** Empty texts in the list are kept. */
  list(name: string): readonly string[];
  numbers(name: string): readonly number[];
  json(name: string): unknown;
  gates(name: string): string;
}

/** @throws KindlingError `ARGUMENT_INVALID` if any flag has a wrong value, even if no code reads that flag */
export function flagValues(written: WrittenFlags, flags: readonly Flag[]): FlagValues {
  const byName = new Map(flags.map((flag) => [flag.name, flag]));
  for (const flag of flags) {
    for (const text of written.get(flag.name) ?? []) if (READ[flag.kind](text) === undefined) throw wrong(flag, text);
  }

  function flagOf(name: string, ...kinds: readonly FlagKind[]): Flag {
    const flag = byName.get(name);
    if (flag === undefined || !kinds.includes(flag.kind)) throw new Error(`there is no such flag: ${name}`);
    return flag;
  }

  function last(flag: Flag): string {
    return written.get(flag.name)?.at(-1) ?? flag.default;
  }

  /** Throws only for an empty default: all other values have been checked before. */
  function read<T>(flag: Flag, reader: (text: string) => T | undefined): T {
    const value = reader(last(flag));
    if (value === undefined) throw wrong(flag, last(flag));
    return value;
  }

  return {
    isWritten: (name) => written.has(name),
    text: (name) => last(flagOf(name, "text")) || undefined,
    oneOf(name, choices) {
      const flag = flagOf(name, "text");
      const found = choices.find((choice) => choice === last(flag));
      if (found === undefined) throw wrong(flag, last(flag), `one of ${choices.join(", ")}`);
      return found;
    },
    isOn: (name) => read(flagOf(name, "switch"), READ.switch),
    count(name) {
      const flag = flagOf(name, "integer");
      const value = read(flag, READ.integer);
      if (value < 0) throw wrong(flag, last(flag), "a whole number that is not negative");
      return value;
    },
    number(name) {
      const flag = flagOf(name, "number", "integer");
      return last(flag) === "" ? undefined : read(flag, READ.number);
    },
    milliseconds(name) {
      const flag = flagOf(name, "duration");
      const value = read(flag, READ.duration);
      if (value < 0) throw wrong(flag, last(flag), `${WANTED.duration}, not a negative one`);
      return value;
    },
    list(name) {
      const flag = flagOf(name, "list");
      return (written.get(name) ?? [flag.default]).flatMap((text) => READ.list(text) ?? []);
    },
    numbers(name) {
      const flag = flagOf(name, "numbers");
      return (written.get(name) ?? [flag.default]).flatMap((text) => READ.numbers(text) ?? []);
    },
    json: (name) => read(flagOf(name, "json"), READ.json).value,
    gates: (name) => (written.get(flagOf(name, "gates").name) ?? []).join(","),
  };
}

/** JSON is not shown: it is long, and may contain anything. */
function wrong({ name, kind }: Flag, text: string, wanted: string = WANTED[kind]): KindlingError {
  const shown = kind === "json" ? "" : `, and is ${quotedName(text)}`;
  return new KindlingError("ARGUMENT_INVALID", `--${name} has to be ${wanted}${shown}`);
}
