import { confType, optionalConfKey, type ConfKey, type ExecutorRequest, type SparkVersion } from "@kindling/core-spec";
import { substituteIds } from "./placeholders.ts";

export const EXECUTOR_JAVA_OPTIONS: ConfKey<string | undefined> = optionalConfKey({
  key: "spark.executor.extraJavaOptions",
  type: confType.text,
  since: "1.0.0",
  readBy: ["executor"],
  doc: "JVM options of executors. {{APP_ID}} and {{EXECUTOR_ID}} are replaced. Heap size is not set here.",
});

export const EXECUTOR_DEFAULT_JAVA_OPTIONS: ConfKey<string | undefined> = optionalConfKey({
  key: "spark.executor.defaultJavaOptions",
  type: confType.text,
  since: "3.0.0",
  readBy: ["executor"],
  doc: "JVM options of executors, before those of spark.executor.extraJavaOptions. It is meant for administrators.",
});

/**
 * The JVM options of an executor in the order in which the image's entry point applies them: the user's, then the
 * configuration entries that an executor needs before it can ask the driver for the rest (Utils.sparkJavaOpts). Spark lists
 * these in the order of a hash table, which has no meaning; here they are sorted.
 */
export function executorJavaOptions({ conf, appId, executorId }: ExecutorRequest): string[] {
  // One text, because a quotation that is open at the end of the first continues in the second (ConfigBuilder.withPrepended).
  const options = [conf.get(EXECUTOR_DEFAULT_JAVA_OPTIONS), conf.get(EXECUTOR_JAVA_OPTIONS)]
    .filter((text) => text !== undefined)
    .join(" ");
  const own = splitCommandString(substituteIds(options, appId, executorId));
  const startup = Object.keys(conf.entries)
    .filter((key) => isExecutorStartupConf(key, conf.version))
    .sort()
    .map((key) => `-D${key}=${conf.entries[key] ?? ""}`);
  return [...own, ...startup];
}

/** Whether an executor needs a key at its start (SparkConf.isExecutorStartupConf). */
function isExecutorStartupConf(key: string, version: SparkVersion): boolean {
  return (
    (key.startsWith("spark.auth") && key !== "spark.authenticate.secret") ||
    key.startsWith("spark.rpc") ||
    key.startsWith("spark.network") ||
    (version.has("executors-need-ssl-keys") && key.startsWith("spark.ssl") && !key.includes("Password")) ||
    (key.startsWith("spark.") && key.endsWith(".port")) ||
    key.startsWith("spark.port.")
  );
}

/**
 * Splits a command line as Spark does (Utils.splitCommandString): blanks separate words, single and double quotes
 * group, and a backslash escapes the next character inside double quotes only. An open quote ends with the text.
 */
export function splitCommandString(command: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote: '"' | "'" | undefined;
  for (let index = 0; index < command.length; index++) {
    const character = command.charAt(index);
    if (quote === '"' && character === "\\") {
      index++;
      word = (word ?? "") + command.charAt(index);
    } else if (quote !== undefined) {
      if (character === quote) quote = undefined;
      else word = (word ?? "") + character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= "";
    } else if (" \t\r\n".includes(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? "") + character;
    }
  }
  if (word !== undefined) words.push(word);
  return words;
}
