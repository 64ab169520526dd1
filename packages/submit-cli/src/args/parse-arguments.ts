import { KindlingError } from "@kindling/core-spec";
import { FLAGS, takesValue, type Flag } from "./flag-table.ts";

/** A command line of `kindling submit`, taken apart but not yet interpreted. */
export interface SubmitArguments {
  /** Values of flags by long name; of a flag given twice, the last counts. */
  readonly values: ReadonlyMap<string, string>;
  /** The flags without value that were given, by long name. */
  readonly switches: ReadonlySet<string>;
  /** What `--conf` set. */
  readonly conf: Readonly<Record<string, string>>;
  /** The application: a jar, a Python or R file, or `spark-internal`, as the user wrote it. */
  readonly primaryResource: string | undefined;
  /** Everything behind the application. */
  readonly appArgs: readonly string[];
}

const BY_NAME: ReadonlyMap<string, Flag> = new Map(
  FLAGS.flatMap((flag): [string, Flag][] => [
    [flag.name, flag],
    ...(flag.short === undefined ? [] : [[flag.short, flag] as [string, Flag]]),
  ]),
);

/**
 * Takes a command line apart as spark-submit does (SparkSubmitOptionParser): `--flag value` or `--flag=value`; the first
 * word that is no flag is the application, and everything behind it the application's own.
 *
 * @throws KindlingError `ARGUMENT_INVALID` for a flag that there is not, a missing value, a `--conf` without `=`, or
 * both `--kill` and `--status`
 */
export function parseArguments(argv: readonly string[]): SubmitArguments {
  const values = new Map<string, string>();
  const switches = new Set<string>();
  const conf: Record<string, string> = {};
  const parsed = (resource?: string, appArgs: readonly string[] = []): SubmitArguments => {
    if (values.has("--kill") && values.has("--status")) {
      throw new KindlingError("ARGUMENT_INVALID", "--kill and --status cannot be given together");
    }
    return { values, switches, conf, primaryResource: resource, appArgs };
  };

  for (let index = 0; index < argv.length; index++) {
    const { word, inlineValue } = splitInline(argv[index] ?? "");
    const flag = BY_NAME.get(word);
    if (flag === undefined) {
      const whole = argv[index] ?? "";
      if (whole.startsWith("-")) throw unknownFlag(whole);
      return parsed(whole, argv.slice(index + 1));
    }
    if (!takesValue(flag)) {
      switches.add(flag.name);
      // spark-submit looks no further once it has seen this one.
      if (flag.name === "--version") return parsed();
      continue;
    }
    const value = inlineValue ?? argv[++index];
    if (value === undefined) throw new KindlingError("ARGUMENT_INVALID", `${word}: the value is missing`);
    if (flag.name === "--conf") Object.assign(conf, parseConf(value));
    else values.set(flag.name, value);
  }
  return parsed();
}

/** `--flag=value`; a value must not be empty in this form. */
function splitInline(word: string): { word: string; inlineValue: string | undefined } {
  const match = /^(--[^=]+)=([^]+)$/.exec(word);
  return match === null ? { word, inlineValue: undefined } : { word: match[1] ?? "", inlineValue: match[2] };
}

function parseConf(text: string): Record<string, string> {
  const equals = text.indexOf("=");
  if (equals < 0)
    throw new KindlingError("ARGUMENT_INVALID", `--conf ${text}: there is no '='`, { hint: "write --conf key=value" });
  return { [text.slice(0, equals)]: text.slice(equals + 1) };
}

/** The value behind an unknown flag may be a secret, so only the flag is shown. */
function unknownFlag(word: string): KindlingError {
  const [name = word] = word.split("=");
  const known = BY_NAME.get(name);
  if (known !== undefined && takesValue(known))
    return new KindlingError("ARGUMENT_INVALID", `${word}: the value is missing`);
  const nearest = FLAGS.map((flag) => flag.name).find((known) => distance(known, name) <= 2);
  return new KindlingError("ARGUMENT_INVALID", `unrecognized option '${name}'`, {
    hint: nearest === undefined ? "see kindling submit --help" : `did you mean ${nearest}?`,
  });
}

/** Levenshtein distance of two short texts. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substituted = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substituted, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
