import { KindlingError, type SparkVersion } from "@kindling/core-spec";
import { splitOptionString } from "./option-string.ts";

/**
 * Refuses JVM options of the driver that spark-submit's launcher refuses (SparkSubmitCommandBuilder.checkJavaOptions): a heap
 * size and, if the options are parsed at all, options that cannot be parsed.
 *
 * @throws KindlingError `CONF_INVALID`
 */
export function checkJavaOptions(entries: Readonly<Record<string, string>>, version: SparkVersion): void {
  for (const key of ["spark.driver.defaultJavaOptions", "spark.driver.extraJavaOptions"]) {
    const text = entries[key];
    if (text === undefined || text === "") continue;
    const options = version.has("java-options-taken-apart") ? optionsOf(text, key) : undefined;
    if (options === undefined ? text.includes("Xmx") : options.some((option) => option.startsWith("-Xmx"))) {
      throw new KindlingError("CONF_INVALID", `${key}: the driver's heap cannot be set by a JVM option (-Xmx)`, {
        hint: "use --driver-memory, or spark.driver.memory",
      });
    }
  }
}

/**
 * The options in a text.
 *
 * @param origin where the text is: a key, an environment variable or a file
 * @throws KindlingError `CONF_INVALID` that names the origin, but not the text, because it may contain a secret
 */
export function optionsOf(text: string, origin: string): string[] {
  const options = splitOptionString(text);
  if (options !== undefined) return options;
  throw new KindlingError("CONF_INVALID", `${origin}: the JVM options end within quotes, or in a backslash`, {
    hint: "close the quotes; \\\\ is a backslash, \\' and \\\" are quotes",
  });
}
