import { expect, test } from "vitest";
import { unknownKeys } from "../../../src/gather/configuration/unknown-keys.ts";

async function remarkOn(key: string): Promise<string | undefined> {
  const [remark] = await unknownKeys({ [key]: "1" }, []);
  return remark?.replace(`${key}: nobody reads such a key; `, "");
}

// Keys of public commands, notebooks, charts and issues, and what has the intended effect on Kubernetes.
test.each([
  ["spark.kubernetes.driver.memory", "spark.driver.memory"],
  ["spark.kubernetes.executor.memory", "spark.executor.memory"],
  ["spark.kubernetes.driver.cores", "spark.driver.cores"],
  ["spark.kubernetes.executor.cores", "spark.executor.cores"],
  ["spark.kubernetes.executor.instances", "spark.executor.instances"],
  ["spark.kubernetes.driver.memoryOverhead", "spark.driver.memoryOverhead"],
  ["spark.kubernetes.executor.memoryOverhead", "spark.executor.memoryOverhead"],
  ["spark.executor.memory.overhead", "spark.executor.memoryOverhead"],
  ["spark.executor.memory.Overhead", "spark.executor.memoryOverhead"],
  ["spark.driver.memoryoverhead", "spark.driver.memoryOverhead"],
  ["spark.driver.limit.cores", "spark.kubernetes.driver.limit.cores"],
  ["spark.executor.request.cores", "spark.kubernetes.executor.request.cores"],
  ["spark.kubernetes.executor.request.cpu", "spark.kubernetes.executor.request.cores"],
  ["spark.kubernetes.driver.limits.cores", "spark.kubernetes.driver.limit.cores"],
  ["spark.executor.count", "spark.executor.instances"],
  ["spark.dynamicAllocation.enable", "spark.dynamicAllocation.enabled"],
  ["spark.dynamicAllocation.maxexecutors", "spark.dynamicAllocation.maxExecutors"],
  ["spark.kubernetes.driver.env.TZ", "spark.kubernetes.driverEnv.TZ"],
  ["spark.kubernetes.executor.env.JDK_JAVA_OPTIONS", "spark.executorEnv.JDK_JAVA_OPTIONS"],
  ["spark.kubernetes.executorEnv.TZ", "spark.executorEnv.TZ"],
  ["spark.driverEnv.TZ", "spark.kubernetes.driverEnv.TZ"],
  ["spark.kubernetes.driver.labels.team", "spark.kubernetes.driver.label.team"],
  ["spark.kubernetes.executor.annotations.a/b", "spark.kubernetes.executor.annotation.a/b"],
  ["spark.kubernetes.executor.nodeSelector.disk", "spark.kubernetes.executor.node.selector.disk"],
  ["spark.kubernetes.nodeSelector.disk", "spark.kubernetes.node.selector.disk"],
  ["spark.kubernetes.serviceAccountName", "spark.kubernetes.authenticate.driver.serviceAccountName"],
  ["spark.kubernetes.driver.serviceAccount", "spark.kubernetes.authenticate.driver.serviceAccountName"],
  ["spark.kubernetes.executor.serviceAccountName", "spark.kubernetes.authenticate.executor.serviceAccountName"],
  ["spark.kubernetes.driver.image", "spark.kubernetes.driver.container.image"],
  ["spark.kubernetes.driver.docker.image", "spark.kubernetes.driver.container.image"],
  ["spark.kubernetes.executor.docker.image", "spark.kubernetes.executor.container.image"],
  ["spark.kubernetes.docker.image", "spark.kubernetes.container.image"],
  ["spark.kubernetes.docker.image.pullPolicy", "spark.kubernetes.container.image.pullPolicy"],
  ["spark.kubernetes.image.pullPolicy", "spark.kubernetes.container.image.pullPolicy"],
  ["spark.kubernetes.container.imagePullPolicy", "spark.kubernetes.container.image.pullPolicy"],
  ["spark.kubernetes.container.image.pullSecret", "spark.kubernetes.container.image.pullSecrets"],
  ["spark.kubernetes.driver.podTemplate", "spark.kubernetes.driver.podTemplateFile"],
  ["spark.kubernetes.driver.podName", "spark.kubernetes.driver.pod.name"],
  ["spark.kubernetes.initContainer.image", "spark.kindling.localizer.image"],
  ["spark.kubernetes.mountdependencies.mountTimeout", "spark.kindling.localizer.timeout"],
  ["spark.kubernetes.mountDependencies.jarsDownloadDir", "spark.kindling.localizer.directory"],
  ["spark.kubernetes.driver.uploads.jars", "spark.jars"],
  ["spark.yarn.queue", "spark.kindling.scheduler.queue"],
  ["spark.yarn.appMasterEnv.PYSPARK_PYTHON", "spark.kubernetes.driverEnv.PYSPARK_PYTHON"],
  ["spark.yarn.dist.archives", "spark.archives"],
  ["spark.yarn.submit.waitAppCompletion", "spark.kubernetes.submission.waitAppCompletion"],
  ["spark.kindling.queue", "spark.kindling.scheduler.queue"],
  ["spark.kubernetes.driver.podTemplatFile", "spark.kubernetes.driver.podTemplateFile"],
  ["spark.kindling.stagin.uri", "spark.kindling.staging.uri"],
  ["spark.kubernetes.namspace", "spark.kubernetes.namespace"],
])("%s is taken for %s", async (key, meant) => {
  expect(await remarkOn(key)).toBe(`did you mean ${meant}?`);
});

test.each([
  ["spark.kubernetes.executor.request.memory", "spark.executor.memory and spark.executor.memoryOverhead"],
  ["spark.kubernetes.driver.limit.memory", "spark.driver.memory and spark.driver.memoryOverhead"],
  ["spark.kubernetes.driver.tolerations", "spark.kubernetes.driver.podTemplateFile"],
  ["spark.kubernetes.executor.tolerations.0.key", "spark.kubernetes.executor.podTemplateFile"],
  ["spark.kubernetes.driver.labels", "each has a key of its own, such as spark.kubernetes.driver.label.team"],
  ["spark.kubernetes.shuffle.namespace", "no shuffle service on Kubernetes"],
  ["spark.kubernetes.initcontainer.downloadJarsSecretLocation", "the old fork had it"],
  ["spark.yarn.jars", "Spark's own jars are those of the image"],
])("of %s is said what does it: %s", async (key, advice) => {
  const remark = await remarkOn(key);
  expect(remark).toContain(advice);
  expect(remark).not.toContain("did you mean");
});

test.each([
  "spark.kubernetes.driver.frobnicate",
  "spark.kubernetes.driver.deleteOnTermination",
  "spark.kubernetes.executor.zone",
  "spark.kubernetes.cluster.name",
  "spark.kubernetes.driver.gpu.count",
])("of %s nothing is guessed", async (key) => {
  expect(await remarkOn(key)).toBe("kindling config lists those that are known");
});

// Names of YARN that Spark still reads, names that only YARN reads, and the user's own names.
test.each([
  "spark.yarn.executor.memoryOverhead",
  "spark.yarn.keytab",
  "spark.yarn.am.cores",
  "spark.mycompany.queue",
  "spark.job.date",
  "spark.driver.foo",
])("nothing is said of %s", async (key) => {
  expect(await remarkOn(key)).toBeUndefined();
});
