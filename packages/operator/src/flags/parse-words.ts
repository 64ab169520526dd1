import { closest, KindlingError, quotedName } from "@kindling/core-spec";
import type { Flag } from "./flag.ts";

/** What was written for each flag; of one that is written several times all of it, in order. */
export type WrittenFlags = ReadonlyMap<string, readonly string[]>;

/**
 * Reads a command line as Go's pflag does: `--flag=value`, `--flag value`, `--switch`, `--switch=false`.
 *
 * @throws KindlingError `ARGUMENT_INVALID` for a flag that there is none, a value that is missing, and a word that is no flag
 */
export function parseWords(words: readonly string[], flags: readonly Flag[]): WrittenFlags {
  const byName = new Map(flags.map((flag) => [flag.name, flag]));
  const written = new Map<string, string[]>();
  const rest = words.values();
  for (const word of rest) {
    const [, name = "", value] = /^--?([A-Za-z][^=]*)(?:=(.*))?$/s.exec(word) ?? [];
    if (name === "") throw notTaken(word);
    const flag = byName.get(name);
    if (flag === undefined) throw unknownFlag(name, [...byName.keys()]);
    const given = value ?? (flag.kind === "switch" ? "true" : next(rest, name));
    written.set(name, [...(written.get(name) ?? []), given]);
  }
  return written;
}

function next(rest: Iterator<string>, name: string): string {
  const { value, done } = rest.next();
  if (done === true) throw new KindlingError("ARGUMENT_INVALID", `flag needs an argument: --${name}`);
  return value;
}

function notTaken(word: string): KindlingError {
  return new KindlingError("ARGUMENT_INVALID", `${quotedName(word)} is no flag`, {
    hint: "kindling-operator help tells all flags",
  });
}

function unknownFlag(name: string, names: readonly string[]): KindlingError {
  const near = closest(name, names);
  return new KindlingError("ARGUMENT_INVALID", `unknown flag: --${quotedName(name)}`, {
    hint: near === undefined ? "kindling-operator help tells all flags" : `did you mean --${near}?`,
  });
}
