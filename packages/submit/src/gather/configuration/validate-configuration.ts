import { confType, KindlingError, parseBytes } from "@kindling/core-spec";
import type { Configuration } from "./configure.ts";
import { valueHint } from "./value-hint.ts";

/**
 * Refuses combinations that no cluster manager could run (SparkSubmitArguments.validateSubmitArguments).
 */
export function validateConfiguration({ entries, primaryResource, proxyUser }: Configuration): void {
  if (primaryResource === undefined) {
    throw new KindlingError("ARGUMENT_INVALID", "must specify a primary resource (JAR or Python or R file)", {
      hint: "name it behind the flags; see kindling submit --help",
    });
  }
  const check = (key: string, holds: (text: string) => boolean, what: string): void => {
    const text = entries[key];
    if (text !== undefined && !holds(text)) {
      throw new KindlingError("CONF_INVALID", `${key}: "${text}" is not ${what}`, { hint: valueHint(key, text) });
    }
  };
  check("spark.driver.memory", size, "a positive size such as 2g");
  check("spark.executor.memory", size, "a positive size such as 2g");
  check("spark.driver.cores", count, "a positive whole number");
  check("spark.executor.cores", count, "a positive whole number");
  check("spark.cores.max", count, "a positive whole number");
  if (entries["spark.dynamicAllocation.enabled"]?.toLowerCase() !== "true") {
    check("spark.executor.instances", count, "a positive number of executors");
  }
  // SparkSubmit reads this key before it knows whether it runs in a driver, and only there it is used.
  check("spark.kubernetes.setSubmitTimeInDriver", (text) => /^(?:true|false)$/i.test(text), "true or false");
  if (proxyUser !== undefined && entries["spark.kerberos.principal"] !== undefined) {
    throw new KindlingError("ARGUMENT_INVALID", "only one of --proxy-user and --principal can be given");
  }
}

/** A size of at least one byte that fits into a long (JavaUtils.byteStringAsBytes). */
function size(text: string): boolean {
  return (parseBytes(text, "b") ?? 0n) > 0n;
}

/** Scala's `toInt`: no blanks, and only values that fit into an int. */
function count(text: string): boolean {
  const number = confType.bareInt.parse(text);
  return typeof number === "number" && number > 0;
}
