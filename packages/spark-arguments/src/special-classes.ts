/**
 * The main classes of Spark's own programs, and the application that each stands for: with one of them no application is
 * named, and flags and the program's own arguments may be mixed (SparkSubmitCommandBuilder.specialClasses).
 */
export const SPECIAL_CLASSES: ReadonlyMap<string, string> = new Map([
  ["org.apache.spark.repl.Main", "spark-shell"],
  ["org.apache.spark.sql.application.ConnectRepl", "connect-shell"],
  ["org.apache.spark.sql.hive.thriftserver.SparkSQLCLIDriver", "spark-internal"],
  ["org.apache.spark.sql.hive.thriftserver.HiveThriftServer2", "spark-internal"],
  ["org.apache.spark.sql.connect.service.SparkConnectServer", "spark-internal"],
]);
