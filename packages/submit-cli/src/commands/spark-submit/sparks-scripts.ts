// Both as in SparkSubmitCommandBuilder (launcher, 3.5.6 and 4.1.1).
const APPLICATIONS: ReadonlySet<string> = new Set(["pyspark-shell-main", "sparkr-shell-main", "run-example"]);
const CLASSES: ReadonlySet<string> = new Set([
  "org.apache.spark.repl.Main",
  "org.apache.spark.sql.hive.thriftserver.SparkSQLCLIDriver",
  "org.apache.spark.sql.hive.thriftserver.HiveThriftServer2",
  "org.apache.spark.sql.connect.service.SparkConnectServer",
]);

/**
 * Whether a command line comes from one of Spark's own scripts, such as `bin/pyspark`, `bin/spark-sql` or
 * `sbin/start-thriftserver.sh`. Spark's launcher has a grammar of its own for those: an application before all flags, none
 * at all, or flags that are the shell's. What they start runs where they are called.
 */
export function isOfSparksScripts(argv: readonly string[]): boolean {
  return (
    APPLICATIONS.has(argv[0] ?? "") ||
    argv.some((word, index) => CLASSES.has(word === "--class" ? (argv[index + 1] ?? "") : inlineClass(word)))
  );
}

function inlineClass(word: string): string {
  return word.startsWith("--class=") ? word.slice("--class=".length) : "";
}
