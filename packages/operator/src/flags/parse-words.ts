import { closest, KindlingError, quotedName } from "@kindling/core-spec";
import { WANTED } from "./flag-kinds.ts";
import type { Flag } from "./flag.ts";

/** The values that were written for each flag, in order; there are several if the flag is written several times. */
export type WrittenFlags = ReadonlyMap<string, readonly string[]>;

/**
 * Reads a command line as Go's pflag does: `--flag=value`, `--flag value`, `--switch`, `--switch=false`; `--` ends the flags
 * (spf13/pflag v1.0.10, flag.go). Words that are no flags are refused, while stock's operator ignores them.
 *
 * @throws KindlingError `ARGUMENT_INVALID` for an unknown flag, a missing value, and a word that is no flag
 */
export function parseWords(words: readonly string[], flags: readonly Flag[]): WrittenFlags {
  const byName = new Map(flags.map((flag) => [flag.name, flag]));
  const written = new Map<string, string[]>();
  const rest = words.values();
  let before: Flag | undefined;
  for (const word of rest) {
    if (word === "--") break;
    const [, name, value] = /^--([^-=][^=]*)(?:=(.*))?$/s.exec(word) ?? [];
    if (name === undefined) throw notTaken(word, before);
    const flag = byName.get(name);
    if (flag === undefined) throw unknownFlag(name, [...byName.keys()]);
    const given = value ?? (flag.kind === "switch" ? "true" : next(rest, flag));
    written.set(name, [...(written.get(name) ?? []), given]);
    before = value === undefined ? flag : undefined;
  }
  for (const word of rest) throw notTaken(word, undefined);
  return written;
}

function next(rest: Iterator<string>, { name, kind }: Flag): string {
  const { value, done } = rest.next();
  if (done === true) throw new KindlingError("ARGUMENT_INVALID", `--${name} needs a value: ${WANTED[kind]}`);
  return value;
}

const TELLS_ALL = "kindling-operator help tells all flags";

/** @param before the flag that was written before it, without a value of its own */
function notTaken(word: string, before: Flag | undefined): KindlingError {
  return new KindlingError("ARGUMENT_INVALID", `${quotedName(word)} is no flag`, { hint: hintFor(word, before) });
}

function hintFor(word: string, before: Flag | undefined): string {
  if (before?.kind === "switch" && /^(?:true|false)$/i.test(word)) return `write --${before.name}=${word}`;
  if (/^-[^-]/.test(word)) return `flags begin with two dashes; ${TELLS_ALL}`;
  return TELLS_ALL;
}

function unknownFlag(name: string, names: readonly string[]): KindlingError {
  const near = closest(name, names);
  return new KindlingError("ARGUMENT_INVALID", `there is no flag ${quotedName(`--${name}`)}`, {
    hint: near === undefined ? TELLS_ALL : `did you mean --${near}?`,
  });
}
