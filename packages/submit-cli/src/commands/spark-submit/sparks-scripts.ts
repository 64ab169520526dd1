import { SPECIAL_CLASSES } from "@kindling/spark-arguments";
import { takeApart } from "../../spark-submit.ts";

// As in SparkSubmitCommandBuilder (launcher, 3.5.6 and 4.1.1).
const APPLICATIONS: ReadonlySet<string> = new Set(["pyspark-shell-main", "sparkr-shell-main", "run-example"]);

/**
 * Whether a command line comes from one of Spark's own scripts, such as `bin/pyspark`, `bin/spark-sql` or
 * `sbin/start-thriftserver.sh`. Spark's launcher has a special grammar for them: an application before all flags, no
 * application, or flags of the shell. What they start runs on the machine where they are called.
 */
export function isOfSparksScripts(argv: readonly string[]): boolean {
  if (APPLICATIONS.has(argv[0] ?? "")) return true;
  // Flags after an application belong to the application.
  return takeApart(argv).flags.some(([flag = "", value = inlineValue(flag)]) => {
    return flag.startsWith("--class") && SPECIAL_CLASSES.has(value);
  });
}

function inlineValue(flag: string): string {
  return flag.slice(flag.indexOf("=") + 1);
}
