import { closest, KindlingError, releaseOf, type SparkVersion } from "@kindling/core-spec";
import { FLAGS, takesValue, type Flag } from "./flag-table.ts";

/**
 * What is wrong with a word that looks like a flag. The text after a flag may be a secret, so only the flag is shown, and the
 * key after `--conf`.
 *
 * @param known the flag before the '=', if it exists
 */
export function unknownFlag(word: string, known: Flag | undefined): KindlingError {
  const [name = word, ...rest] = word.split("=");
  if (known !== undefined && takesValue(known)) {
    if (word.endsWith("=")) return new KindlingError("ARGUMENT_INVALID", `${word}: the value is missing`);
    const key = known.name === "--conf" && rest.length > 1 ? `${rest[0]}=` : "";
    return new KindlingError("ARGUMENT_INVALID", `unrecognized option '${name}=${key}…'`, {
      hint: name.startsWith("--")
        ? `the value holds a line end: write ${name} and the value as two arguments`
        : `write ${name} and the value as two arguments`,
    });
  }
  const nearest = closest(
    name,
    FLAGS.map((flag) => flag.name),
    2,
  );
  return new KindlingError("ARGUMENT_INVALID", `unrecognized option '${name}'`, {
    hint: nearest === undefined ? "see kindling submit --help" : `did you mean ${nearest}?`,
  });
}

/**
 * Refuses a flag with a long dash, which word processors make of `--`: it would be taken for the application.
 *
 * @throws KindlingError `ARGUMENT_INVALID`
 */
export function refuseLongDash(word: string, byName: ReadonlyMap<string, Flag>): void {
  const [, dash, name = ""] = /^([\u2010-\u2015\u2212])[-\u2010-\u2015\u2212]*([a-z-]+)/.exec(word) ?? [];
  const flag = byName.get(`--${name}`);
  if (flag === undefined) return;
  throw new KindlingError(
    "ARGUMENT_INVALID",
    `unrecognized option '${dash}${name}': its dash (${dash}) is a long one`,
    {
      hint: `write ${flag.name}, with two short ones`,
    },
  );
}

/**
 * Refuses flags that the spark-submit of the wanted version does not have.
 *
 * @throws KindlingError `ARGUMENT_INVALID`
 */
export function refuseLaterFlags(flags: readonly Flag[], version: SparkVersion): void {
  for (const { name, from } of flags) {
    if (from === undefined || version.has(from)) continue;
    throw new KindlingError(
      "ARGUMENT_INVALID",
      `unrecognized option '${name}': spark-submit has it from ${releaseOf(from)} on, and Spark ${version.text} is wanted`,
      { hint: "leave it out; the image's tag or spark.kindling.sparkVersion tells the version" },
    );
  }
}
