import { join } from "node:path";
import { runChild } from "@kindling/command-line";
import { KindlingError } from "@kindling/core-spec";
import { type Flag, FLAGS, takesValue } from "@kindling/spark-arguments";
import type { Outside } from "@kindling/outside";
import { redact } from "@kindling/submit";

export interface SparkSubmitOptions {
  readonly outside: Pick<Outside, "env" | "cwd">;
  /** Its reason is the signal that this process received; the program receives it, too. */
  readonly signal: AbortSignal;
}

/**
 * Passes a command line on to the real spark-submit.
 *
 * @returns its exit code
 * @throws KindlingError `UNSUPPORTED` if there is no SPARK_HOME, with the command that would be run
 */
export async function runSparkSubmit(
  argv: readonly string[],
  reason: string,
  { outside: { env, cwd }, signal }: SparkSubmitOptions,
): Promise<number> {
  const { flags, application } = takeApart(argv);
  const home = env["SPARK_HOME"];
  if (home === undefined || home === "") {
    throw new KindlingError("UNSUPPORTED", `${reason}: this needs spark-submit, and SPARK_HOME is not set`, {
      hint: `set SPARK_HOME; this would then run: $SPARK_HOME/bin/spark-submit ${shown(flags, application)}`,
    });
  }
  const program = join(home, "bin", "spark-submit");
  return await runChild(program, [...flags.flat(), ...application], { env, cwd, signal, inPlace: true });
}

/** Whether a word is a flag of Kindling's own, which spark-submit does not know. */
export function isOwnFlag(word: string): boolean {
  return flagOf(word)?.section === "kindling";
}

/** Whether a flag cannot be passed to spark-submit: it stands for no key of Spark's own. */
export function isDropped(word: string): boolean {
  const flag = flagOf(word);
  return isOwnFlag(word) && !(flag?.effect.kind === "conf" && flag.effect.key.startsWith("spark.kubernetes."));
}

function asSetting(
  { effect }: Flag,
  [word = "", value = word.slice(word.indexOf("=") + 1)]: readonly string[],
): string[] {
  return effect.kind === "conf" ? ["--conf", `${effect.key}=${value}`] : [];
}

function flagOf(word: string): (typeof FLAGS)[number] | undefined {
  const name = word.startsWith("--") ? word.replace(/=[^]*$/, "") : word;
  return FLAGS.find((flag) => flag.name === name || flag.short === name);
}

interface CommandLine {
  /** Flags that spark-submit knows, each with its value if that is a separate word. */
  readonly flags: readonly (readonly string[])[];
  /** The application and its arguments. */
  readonly application: readonly string[];
}

/** The parts of a command line for the real spark-submit. */
export function takeApart(argv: readonly string[]): CommandLine {
  const flags: string[][] = [];
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? "";
    const flag = flagOf(word);
    if (flag === undefined && !word.startsWith("-")) return { flags, application: argv.slice(index) };
    const hasValue = flag !== undefined && takesValue(flag) && (word === flag.name || word === flag.short);
    const words = argv.slice(index, index + (hasValue ? 2 : 1));
    if (!isOwnFlag(word)) flags.push([...words]);
    else if (flag !== undefined && !isDropped(word)) flags.push(asSetting(flag, words));
    if (hasValue) index++;
  }
  return { flags, application: [] };
}

/** The command line for a person: without the values of secrets, and without words that only the application understands. */
function shown(flags: CommandLine["flags"], [resource, ...args]: CommandLine["application"]): string {
  const words = [...flags.flat(), ...(resource === undefined ? [] : [resource])];
  const pattern = words.map(settingOf).find((setting) => setting?.key === REDACTION_KEY)?.value;
  const own: Record<string, string> = pattern === undefined ? {} : { [REDACTION_KEY]: pattern };
  const safe = words.map((word) => {
    const { before, key, value } = settingOf(word) ?? { before: "", key: "", value: word };
    return `${before}${key === "" ? "" : `${key}=`}${redact({ ...own, [key]: value })[key] ?? ""}`;
  });
  const quoted = safe.map((word) => (/^[\w./:=,@%+*()[\]-]+$/.test(word) ? word : JSON.stringify(word)));
  return [...quoted, ...(args.length > 0 ? ["…"] : [])].join(" ");
}

const REDACTION_KEY = "spark.redaction.regex";

/** `key=value`, optionally with `--conf=` before it. */
function settingOf(word: string): { before: string; key: string; value: string } | undefined {
  const [, before = "", key, value = ""] = /^(--[^=]+=)?([^=\s]+)=([^]*)$/.exec(word) ?? [];
  return key === undefined ? undefined : { before, key, value };
}
