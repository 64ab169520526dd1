import type { ValueKind } from "./values.ts";

/** Flags, their keys, and the kinds of their values. */
export const KEYS_OF_FLAGS: readonly (readonly [flag: string, key: string, kind: ValueKind])[] = [
  ["--driver-memory", "spark.driver.memory", "memory"],
  ["--executor-memory", "spark.executor.memory", "memory"],
  ["--driver-cores", "spark.driver.cores", "integer"],
  ["--executor-cores", "spark.executor.cores", "integer"],
  ["--num-executors", "spark.executor.instances", "integer"],
  ["--total-executor-cores", "spark.cores.max", "integer"],
  ["--name", "spark.app.name", "name"],
  ["--queue", "spark.yarn.queue", "text"],
  ["--driver-java-options", "spark.driver.extraJavaOptions", "javaOptions"],
  ["--driver-class-path", "spark.driver.extraClassPath", "path"],
  ["--driver-library-path", "spark.driver.extraLibraryPath", "path"],
  ["--jars", "spark.jars", "uris"],
  ["--files", "spark.files", "uris"],
  ["--archives", "spark.archives", "uris"],
  ["--py-files", "spark.submit.pyFiles", "uris"],
];

const K = "spark.kubernetes.";

/** Keys by the kinds of their values. */
export const TYPED_KEYS: readonly (readonly [kind: ValueKind, keys: readonly string[]])[] = [
  [
    "memory",
    [
      ...[
        "spark.driver.memory",
        "spark.driver.memoryOverhead",
        "spark.driver.minMemoryOverhead",
        "spark.executor.memory",
      ],
      ...[
        "spark.executor.memoryOverhead",
        "spark.executor.pyspark.memory",
        "spark.memory.offHeap.size",
        "spark.executor.minMemoryOverhead",
      ],
      ...["spark.yarn.driver.memoryOverhead", `${K}executor.resizeMaxMemory`],
    ],
  ],
  [
    "integer",
    [
      ...[
        "spark.driver.cores",
        "spark.executor.cores",
        "spark.executor.instances",
        "spark.cores.max",
        "spark.task.cpus",
      ],
      ...[
        "spark.dynamicAllocation.minExecutors",
        "spark.dynamicAllocation.maxExecutors",
        "spark.executor.maxNumFailures",
      ],
      ...[
        `${K}configMap.maxSize`,
        `${K}submission.connectionTimeout`,
        `${K}submission.requestTimeout`,
        `${K}allocation.batch.size`,
      ],
      ...[
        `${K}appKillPodDeletionGracePeriod`,
        `${K}allocation.maxPendingPods`,
        "spark.executor.failuresValidityInterval",
      ],
    ],
  ],
  [
    "fraction",
    ["spark.driver.memoryOverheadFactor", `${K}memoryOverheadFactor`, "spark.executor.memoryOverheadFactor"],
  ],
  [
    "quantity",
    [`${K}driver.request.cores`, `${K}driver.limit.cores`, `${K}executor.request.cores`, `${K}executor.limit.cores`],
  ],
  [
    "boolean",
    [
      ...[
        `${K}local.dirs.tmpfs`,
        `${K}trust.certificates`,
        `${K}driver.ownPersistentVolumeClaim`,
        `${K}driver.reusePersistentVolumeClaim`,
      ],
      ...[
        `${K}legacy.useReadWriteOnceAccessMode`,
        `${K}securityContext.allowPrivilegeEscalation`,
        `${K}executor.deleteOnTermination`,
      ],
      ...[
        `${K}driver.securityContext.allowPrivilegeEscalation`,
        `${K}executor.securityContext.allowPrivilegeEscalation`,
      ],
      ...["spark.dynamicAllocation.enabled", "spark.ui.enabled", `${K}executor.useDriverPodIP`, "spark.authenticate"],
      ...[
        `${K}driver.service.publishNotReadyAddresses`,
        `${K}driver.waitToReusePersistentVolumeClaim`,
        "spark.shuffle.service.enabled",
      ],
      ...[
        "spark.decommission.enabled",
        `${K}executor.enablePollingWithResourceVersion`,
        `${K}executor.checkAllContainers`,
      ],
      ...[
        "spark.submit.proxyUser.allowCustomClasspathInClusterMode",
        "spark.memory.offHeap.enabled",
        "spark.eventLog.enabled",
      ],
    ],
  ],
  ["duration", [`${K}report.interval`, `${K}allocation.batch.delay`, `${K}executor.eventProcessingInterval`]],
  [
    "text",
    [
      ...[
        `${K}driver.pod.name`,
        `${K}container.image`,
        `${K}driver.container.image`,
        `${K}executor.container.image`,
        `${K}scheduler.name`,
      ],
      ...[`${K}driver.scheduler.name`, `${K}executor.scheduler.name`, `${K}authenticate.driver.serviceAccountName`],
      ...[
        `${K}authenticate.executor.serviceAccountName`,
        `${K}authenticate.serviceAccountName`,
        `${K}executor.podNamePrefix`,
      ],
      ...[
        "spark.local.dir",
        "spark.app.id",
        "spark.driver.host",
        "spark.driver.bindAddress",
        "spark.submit.deployMode",
        `${K}driver.master`,
      ],
      ...[
        "spark.pyspark.python",
        "spark.pyspark.driver.python",
        `${K}pyspark.pythonVersion`,
        `${K}hadoop.configMapName`,
      ],
      ...[
        `${K}kerberos.krb5.configMapName`,
        "spark.app.submitTime",
        "spark.app.name",
        `${K}resource.type`,
        `${K}submitInDriver`,
      ],
      ...[
        "spark.driver.defaultJavaOptions",
        "spark.home",
        `${K}context`,
        "spark.authenticate.secret",
        "spark.redaction.regex",
      ],
      ...[
        "spark.executorEnv.X",
        `${K}executor.hadoopConfigMapName`,
        `${K}executor.podTemplateContainerName`,
        "spark.eventLog.dir",
      ],
      ...[
        `${K}driver.service.ipFamilyPolicy`,
        `${K}driver.service.ipFamilies`,
        `${K}container.image.pullPolicy`,
        `${K}namespace`,
      ],
      ...[
        `${K}container.image.pullSecrets`,
        `${K}allocation.pods.allocator`,
        `${K}executor.service.enabled`,
        "spark.app.attempt.id",
      ],
    ],
  ],
];

/** Usual and odd values of keys with few allowed values. */
export const CHOICES: Readonly<Record<string, readonly [usual: readonly string[], odd: readonly string[]]>> = {
  [`${K}driver.service.ipFamilyPolicy`]: [
    ["SingleStack", "PreferDualStack", "RequireDualStack"],
    ["singlestack", "", "None"],
  ],
  [`${K}driver.service.ipFamilies`]: [
    ["IPv4", "IPv6", "IPv4,IPv6", "IPv6,IPv4"],
    ["IPv4, IPv6", "ipv4", "", "IPv4,IPv4"],
  ],
  [`${K}container.image.pullPolicy`]: [
    ["Always", "Never", "IfNotPresent"],
    ["always", "", " Always", "Sometimes"],
  ],
  [`${K}container.image.pullSecrets`]: [
    ["a", "a,b"],
    ["a, b,,c ", "", ",", " "],
  ],
  [`${K}allocation.pods.allocator`]: [
    ["direct", "statefulset", "deployment"],
    ["x", ""],
  ],
  [`${K}driver.podTemplateContainerName`]: [
    ["main", "side"],
    ["other", ""],
  ],
  [`${K}pyspark.pythonVersion`]: [["3"], ["2", "", "3.9"]],
  [`${K}container.image`]: [
    ["i:1", `reg/i@sha256:${"a".repeat(64)}`, "i:{{SPARK_VERSION}}"],
    ["", " i", "${spark.app.name}", "I:1"],
  ],
  [`${K}namespace`]: [
    ["ref-ns", "other"],
    ["", "Bad_NS", " other"],
  ],
  [`${K}context`]: [[""], ["somewhere"]],
  [`${K}submitInDriver`]: [["false"], ["true", "", "x"]],
  [`${K}resource.type`]: [
    ["java", "python"],
    ["", "x", "R"],
  ],
  [`${K}driver.master`]: [["https://kubernetes.default.svc"], ["", "k8s://https://h", "x"]],
  // Milliseconds: with smaller values, a busy machine would change the result.
  [`${K}submission.connectionTimeout`]: [
    ["10000", "60000"],
    ["abc", "", "10s"],
  ],
  [`${K}submission.requestTimeout`]: [
    ["10000", "60000"],
    ["abc", "", "10s"],
  ],
  "spark.app.submitTime": [["1"], ["abc", ""]],
  "spark.local.dir": [
    ["/a", "/a,/b", "/tmp"],
    [" /a , /b ", "", "rel", "/a,", ",/a", "/a,,/b", "/a,/a"],
  ],
  "spark.submit.deployMode": [["cluster"], ["CLUSTER", "Cluster", "weird"]],
  "spark.home": [["/opt/spark"], ["{W}"]],
  "spark.app.id": [
    ["spark-mine", "app1"],
    ["", "A B", "x".repeat(64), "{{APP_ID}}"],
  ],
};
