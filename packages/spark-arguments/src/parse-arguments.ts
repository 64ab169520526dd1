import { KindlingError } from "@kindling/core-spec";
import { FLAGS, takesValue, type Flag } from "./flag-table.ts";
import { SPECIAL_CLASSES } from "./special-classes.ts";
import { refuseLongDash, unknownFlag } from "./unknown-flag.ts";

/** A parsed command line of `kindling submit`, not yet interpreted. */
export interface SubmitArguments {
  /** Values of flags by long name; if a flag is given twice, the last value counts. */
  readonly values: ReadonlyMap<string, string>;
  /** The flags without value that were given, by long name. */
  readonly switches: ReadonlySet<string>;
  /**
   * The entries from `--conf`, and from flags that spark-submit's launcher turns into a `--conf`: the last one for each key.
   */
  readonly conf: Readonly<Record<string, string>>;
  /** The files of `--extra-properties-file`, in the order in which they were given. */
  readonly extraPropertiesFiles: readonly string[];
  /** The given flags that not every known version of spark-submit has. */
  readonly laterFlags: readonly Flag[];
  /** The application in the user's words: a jar, a Python or R file, or `spark-internal`. */
  readonly primaryResource: string | undefined;
  /** Everything after the application. */
  readonly appArgs: readonly string[];
}

const BY_NAME: ReadonlyMap<string, Flag> = new Map(
  FLAGS.flatMap((flag): [string, Flag][] => [
    [flag.name, flag],
    ...(flag.short === undefined ? [] : [[flag.short, flag] as [string, Flag]]),
  ]),
);

/**
 * Parses a command line as spark-submit does: `--flag value` or `--flag=value`; the first word that is no flag is the
 * application, and everything after it belongs to the application.
 *
 * spark-submit's script first runs its launcher (SparkSubmitOptionParser and SparkSubmitCommandBuilder of spark-launcher, of
 * each known release). The launcher turns some flags into `--conf`s, checks all of them, and passes the result to
 * SparkSubmit. Every carriage return is lost on this way (bin/spark-class).
 *
 * @throws KindlingError `ARGUMENT_INVALID` for an unknown flag, a missing value, a `--conf` without `=`, or more than one of
 *   `--kill` and `--status`
 */
export function parseArguments(argv: readonly string[]): SubmitArguments {
  const values = new Map<string, string>();
  const switches = new Set<string>();
  const conf: Record<string, string> = {};
  const extraPropertiesFiles: string[] = [];
  const laterFlags = new Set<Flag>();
  let specialApplication: string | undefined;
  const mixedIn: string[] = [];

  const parsed = (resource: string | undefined, appArgs: readonly string[]): SubmitArguments => ({
    values,
    switches,
    conf,
    extraPropertiesFiles,
    laterFlags: [...laterFlags],
    primaryResource: resource === undefined ? undefined : withoutCarriageReturns(resource),
    appArgs: appArgs.map(withoutCarriageReturns),
  });
  const take = (flag: Flag, value: string): void => {
    const { name, effect } = flag;
    if (name === "--kill" || name === "--status") refuseSecondAction(name, values);
    if (name === "--class") specialApplication = SPECIAL_CLASSES.get(value) ?? specialApplication;
    if (name === "--conf") Object.assign(conf, parseConf(value));
    else if (name === "--extra-properties-file") extraPropertiesFiles.push(value);
    else if (effect.kind === "conf" && effect.winner === "last") conf[effect.key] = value;
    else values.set(name, value);
  };

  for (let index = 0; index < argv.length; index++) {
    const { word, inlineValue } = splitInline(argv[index] ?? "");
    const flag = BY_NAME.get(word);
    if (flag === undefined) {
      // For `--own=value` the launcher passes on only the name.
      if (specialApplication !== undefined) mixedIn.push(word);
      else if (word.startsWith("-")) throw unknownFlag(argv[index] ?? "", BY_NAME.get(word.split("=")[0] ?? ""));
      else {
        refuseLongDash(word, BY_NAME);
        return parsed(word, argv.slice(index + 1));
      }
      continue;
    }
    if (flag.from !== undefined) laterFlags.add(flag);
    if (!takesValue(flag)) {
      switches.add(flag.name);
      if (inlineValue !== undefined) takeMode(flag, inlineValue, values);
      continue;
    }
    const value = inlineValue ?? argv[++index];
    if (value === undefined) throw new KindlingError("ARGUMENT_INVALID", `${word}: the value is missing`);
    // SparkSubmit stops after this switch; the launcher still checks the flags after it.
    if (!switches.has("--version")) take(flag, withoutCarriageReturns(value));
  }
  return parsed(specialApplication, mixedIn);
}

/** The text after the `=` of one of Kindling's own switches; on any other switch it has no meaning, as in spark-submit. */
function takeMode({ name, effect }: Flag, mode: string, values: Map<string, string>): void {
  if (effect.kind !== "switch" || effect.modes === undefined) return;
  if (!effect.modes.includes(mode))
    throw new KindlingError("ARGUMENT_INVALID", `${name}=${mode}: must be one of ${effect.modes.join(", ")}`);
  values.set(name, mode);
}

/** `--flag=value`; in this form a value must not be empty and must not contain a line end (Java's `.`). */
function splitInline(word: string): { word: string; inlineValue: string | undefined } {
  const match = /^(--[^=]+)=([^\n\r\u0085\u2028\u2029]+)$/.exec(word);
  return match === null ? { word, inlineValue: undefined } : { word: match[1] ?? "", inlineValue: match[2] };
}

function withoutCarriageReturns(text: string): string {
  return text.replaceAll("\r", "");
}

function parseConf(text: string): Record<string, string> {
  const equals = text.indexOf("=");
  if (equals < 0)
    throw new KindlingError("ARGUMENT_INVALID", `--conf ${text}: there is no '='`, { hint: "write --conf key=value" });
  return { [text.slice(0, equals)]: text.slice(equals + 1) };
}

function refuseSecondAction(name: string, values: ReadonlyMap<string, string>): void {
  const other = ["--kill", "--status"].find((action) => values.has(action));
  if (other === undefined) return;
  const both = other === name ? `${name} cannot be given twice` : "--kill and --status cannot be given together";
  throw new KindlingError("ARGUMENT_INVALID", both);
}
