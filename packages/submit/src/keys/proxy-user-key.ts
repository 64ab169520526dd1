import { confKey, confType, type ConfKey } from "@kindling/core-spec";

/**
 * Whether a proxy user's jars may be on the class path of the submission itself. Without a JVM there is no such path. The
 * value is checked because Spark reads it in each submission (3.5.6 and 4.1.1, SparkSubmit.scala, prepareSubmitEnvironment).
 */
export const PROXY_USER_CLASSPATH: ConfKey<boolean> = confKey({
  key: "spark.submit.proxyUser.allowCustomClasspathInClusterMode",
  type: confType.boolean,
  default: "false",
  since: "3.4.0",
  readBy: ["submit"],
  doc: "Whether jars of a proxy user may be on the class path of spark-submit itself. Kindling has no such class path: true and false are the same to it.",
});
