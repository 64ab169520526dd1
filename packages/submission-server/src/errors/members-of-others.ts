/** What members of other services' submissions are called here: those of Livy, and of the REST server of Spark's own clusters. */
const OTHERS: Readonly<Record<string, string>> = {
  file: "application.resource",
  resource: "application.resource",
  appResource: "application.resource",
  className: "application.mainClass",
  mainClass: "application.mainClass",
  args: "application.arguments",
  arguments: "application.arguments",
  appArgs: "application.arguments",
  sparkProperties: "conf",
  sparkConf: "conf",
  clientSparkVersion: "sparkVersion",
  driverMemory: 'conf["spark.driver.memory"]',
  driverCores: 'conf["spark.driver.cores"]',
  executorMemory: 'conf["spark.executor.memory"]',
  executorCores: 'conf["spark.executor.cores"]',
  numExecutors: 'conf["spark.executor.instances"]',
  image: 'conf["spark.kubernetes.container.image"]',
  environmentVariables: 'conf["spark.kubernetes.driverEnv.NAME"] and conf["spark.executorEnv.NAME"]',
};

/** What somebody means by a member that other services have; undefined for one that they do not have either. */
export function memberOfOthers(name: string): string | undefined {
  return Object.hasOwn(OTHERS, name) ? OTHERS[name] : undefined;
}
