/**
 * Kindling's names for members of other services' submissions: those of Livy, of the REST server of Spark's standalone
 * clusters, and of clouds. Without case, `-` and `_`, because they differ in these.
 */
const OTHERS: ReadonlyMap<string, string> = new Map([
  ["file", "application.resource"],
  ["resource", "application.resource"],
  ["appresource", "application.resource"],
  ["class", "application.mainClass"],
  ["classname", "application.mainClass"],
  ["mainclass", "application.mainClass"],
  ["args", "application.arguments"],
  ["arguments", "application.arguments"],
  ["appargs", "application.arguments"],
  ["sparkproperties", "conf"],
  ["sparkconf", "conf"],
  ["clientsparkversion", "sparkVersion"],
  ["drivermemory", 'conf["spark.driver.memory"]'],
  ["drivercores", 'conf["spark.driver.cores"]'],
  ["executormemory", 'conf["spark.executor.memory"]'],
  ["executorcores", 'conf["spark.executor.cores"]'],
  ["numexecutors", 'conf["spark.executor.instances"]'],
  ["image", 'conf["spark.kubernetes.container.image"]'],
  ["env", 'conf["spark.kubernetes.driverEnv.NAME"] and conf["spark.executorEnv.NAME"]'],
  ["environmentvariables", 'conf["spark.kubernetes.driverEnv.NAME"] and conf["spark.executorEnv.NAME"]'],
]);

/** The meaning of a member that other services have; undefined for a member that they do not have either. */
export function memberOfOthers(name: string): string | undefined {
  return OTHERS.get(name.replaceAll(/[-_]/g, "").toLowerCase());
}
