/** What one Spark release changed, and where that can be seen. */
export interface Difference {
  /** What is true from this release on. */
  readonly what: string;
  /** The file of Spark's source, and Spark's issue if it is known. */
  readonly source: string;
}

/**
 * The known Spark releases, oldest first, and what each changed. All others are compared with the first. This is the only
 * place that knows which versions there are and when something changed: steps, chains, flags and defaults ask for a
 * difference by its name. CONTRIBUTING.md describes how to add a release.
 */
const RELEASES = {
  "3.5": {},
  "4.0": {
    "allocation-batches-of-10": {
      what: "drivers ask for 10 executors at a time",
      source: "Config.scala, SPARK-50996",
    },
    "all-containers-checked": {
      what: "a failing sidecar counts as a failing executor",
      source: "Config.scala, spark.kubernetes.executor.checkAllContainers",
    },
    "claims-for-one-pod": {
      what: "claims made on demand have the access mode ReadWriteOncePod",
      source: "MountVolumesFeatureStep.scala, SPARK-46786 and SPARK-46945",
    },
    "claim-labels": {
      what: "volumes have label.* and annotation.* options for claims made on demand",
      source: "KubernetesVolumeUtils.scala",
    },
    "connect-server": {
      what: "Spark brings its Connect server, and PyPI has pyspark-client; before, both are parts of their own",
      source: "assembly/pom.xml and python/packaging/client/setup.py",
    },
    "custom-log-attributes": {
      what: "executors get the attributes that spark.ui.custom.executor.log.url may name",
      source: "BasicExecutorFeatureStep.scala, SPARK-49190",
    },
    "driver-copies-local-jars": {
      what: "drivers copy local: jars and serve them, but for spark.kubernetes.jars.avoidDownloadSchemes",
      source: "SparkSubmit.scala, SPARK-33782 and SPARK-47475",
    },
    "default-class-path": {
      what: "spark-submit has --driver-default-class-path",
      source: "SparkSubmitCommandBuilder.java, SPARK-47152",
    },
    "executors-need-ssl-keys": {
      what: "executors get spark.ssl.* at their start, without passwords",
      source: "SparkConf.scala, isExecutorStartupConf",
    },
    "host-path-types": {
      what: "hostPath volumes have options.type",
      source: "KubernetesVolumeUtils.scala",
    },
    "incubating-vectors": {
      what: "the JVM's module jdk.incubator.vector is added",
      source: "JavaModuleOptions.java",
    },
    "java-17": {
      what: "Spark needs Java 17; it needed Java 8 before",
      source: "pom.xml, SPARK-44112",
    },
    "java-options-taken-apart": {
      what: "only an option that begins with -Xmx is refused for the driver's JVM; any text with Xmx was before",
      source: "SparkSubmitCommandBuilder.java, checkJavaOptions",
    },
    "label-placeholders": {
      what: "{{APP_ID}} and {{EXECUTOR_ID}} are replaced in labels, as in annotations before",
      source: "KubernetesConf.scala",
    },
    "load-spark-defaults": {
      what: "spark-submit has --load-spark-defaults",
      source: "SparkSubmitArguments.scala, SPARK-48392",
    },
    "minimum-memory-overhead": {
      what: "the least memory overhead can be set; it was 384 MiB before",
      source: "ResourceProfile.scala, SPARK-47208",
    },
    "netty-reflection": {
      what: "Netty may use reflection",
      source: "JavaModuleOptions.java",
    },
    "octal-file-modes": {
      what: "file modes in pod templates may be octal (0644), and no whole number of 32 bits may have a fraction",
      source: "kubernetes-client 7.1.0, GoIntegerDeserializer.java",
    },
    "pod-fields-1.32": {
      what: "pod templates are read by the types of Kubernetes 1.32; by those of 1.26 before",
      source: "kubernetes-client 7.1.0, kubernetes-model-core",
    },
    "python-3.9": {
      what: "PySpark needs Python 3.9; it needed 3.8 before",
      source: "python/setup.py, python_requires",
    },
    "rpc-tls": {
      what: "driver and executors can speak TLS with each other",
      source: "TransportContext.java, SPARK-44937",
    },
    "scala-2.13-alone": {
      what: "Spark is built for Scala 2.13 alone; usually for 2.12 before",
      source: "pom.xml, SPARK-45314",
    },
    "scala-2.13-maps": {
      what: "Scala's hash maps are those of 2.13, which list their keys in another order",
      source: "scala.collection.immutable.HashMap, SPARK-45314",
    },
    "sub-path-expressions": {
      what: "volumes have mount.subPathExpr",
      source: "KubernetesVolumeUtils.scala",
    },
    "tiny-volumes-refused": {
      what: "a volume's sizeLimit below 1024 without a unit is refused",
      source: "KubernetesVolumeUtils.scala",
    },
  },
  "4.1": {
    "connect-port": {
      what: "driver pod and Service have the port spark-connect",
      source: "BasicDriverFeatureStep.scala and DriverServiceFeatureStep.scala, SPARK-52193",
    },
    "default-java-options-once": {
      what: "spark.executor.defaultJavaOptions stands once in front of an executor's options; it stood thrice before",
      source: "SparkContext.scala, supplementJavaModuleOptions and supplementJavaIPv6Options",
    },
    "driver-address": {
      what: "executors can reach the driver at its pod's address",
      source: "BasicExecutorFeatureStep.scala, SPARK-53944",
    },
    "excluded-feature-steps": {
      what: "built-in steps can be left out by their class names",
      source: "KubernetesDriverBuilder.scala and KubernetesExecutorBuilder.scala, SPARK-52830",
    },
    "executor-grace-period": {
      what: "executor pods have terminationGracePeriodSeconds",
      source: "BasicExecutorFeatureStep.scala, SPARK-53096",
    },
    "executor-library-path": {
      what: "executors get spark.executor.extraLibraryPath as SPARK_EXECUTOR_LIBRARY_PATH",
      source: "BasicExecutorFeatureStep.scala",
    },
    "executor-limit-checked": {
      what: "an executor's CPU limit below its request is refused",
      source: "BasicExecutorFeatureStep.scala",
    },
    "hadoop-conf-in-utf-8": {
      what: "a file in HADOOP_CONF_DIR that is not UTF-8 is refused; such bytes were replaced before",
      source: "HadoopConfDriverFeatureStep.scala",
    },
    "image-placeholder": {
      what: "{{SPARK_VERSION}} is replaced in the names of images",
      source: "Config.scala, SPARK-52902",
    },
    "native-access": {
      what: "all modules may call native code",
      source: "JavaModuleOptions.java",
    },
    "netty-own-settings": {
      what: "Netty's allocator is the pooled one, and its clients do not verify host names",
      source: "JavaModuleOptions.java",
    },
    "pod-fields-1.33": {
      what: "pod templates are read by the types of Kubernetes 1.33",
      source: "kubernetes-client 7.4.0, kubernetes-model-core",
    },
    "python-3.10": {
      what: "PySpark needs Python 3.10",
      source: "python/packaging/classic/setup.py, python_requires",
    },
    "python-version-gone": {
      what: "spark.kubernetes.pyspark.pythonVersion is no key any more",
      source: "Config.scala",
    },
    "tabs-in-brackets": {
      what: "tabs may stand between the brackets and braces of a pod template in YAML",
      source: "snakeyaml-engine 2.10, ScannerImpl.java",
    },
  },
  "4.2": {
    "allocation-batches-of-20": {
      what: "drivers ask for 20 executors at a time",
      source: "Config.scala, SPARK-54422",
    },
    "connect-over-grpc": {
      what: "the Service's port spark-connect has the appProtocol grpc",
      source: "DriverServiceFeatureStep.scala",
    },
    "deployment-allocator": {
      what: "executors can be held by a Deployment, which restarts them and wants lower-case host names",
      source: "BasicExecutorFeatureStep.scala, SPARK-54173",
    },
    "direct-method-handles": {
      what: "the JVM's direct method handles are not turned off any more",
      source: "JavaModuleOptions.java",
    },
    "extra-properties-files": {
      what: "spark-submit has --extra-properties-file",
      source: "SparkSubmitArguments.scala, SPARK-54313",
    },
    "network-policy": {
      what: "executors have a NetworkPolicy",
      source: "NetworkPolicyFeatureStep.scala, SPARK-55653",
    },
    "pod-fields-1.35": {
      what: "pod templates are read by the types of Kubernetes 1.35",
      source: "kubernetes-client 7.6.1, kubernetes-model-core",
    },
    "recovery-mode": {
      what: "executors can be made to run one task at a time",
      source: "BasicExecutorFeatureStep.scala, SPARK-55639",
    },
    "resize-policy": {
      what: "executor containers say that they can be resized without a restart",
      source: "BasicExecutorFeatureStep.scala, SPARK-55431",
    },
    "unsafe-memory-access": {
      what: "the JVM allows sun.misc.Unsafe to reach memory without a warning",
      source: "JavaModuleOptions.java",
    },
    "volcano-in-stock-builds": {
      what: "stock builds have Volcano's feature step",
      source: "VolcanoFeatureStep.scala",
    },
  },
  "4.3": {
    "driver-address-by-default": {
      what: "executors reach the driver at its pod's address if nothing else is said",
      source: "Config.scala, SPARK-57351",
    },
    "kill-tells-of-nothing": {
      what: "--kill of an application that is not there says so",
      source: "K8sSubmitOps.scala",
    },
    "no-privilege-escalation": {
      what: "containers have allowPrivilegeEscalation, false if nothing else is said",
      source: "BasicDriverFeatureStep.scala and BasicExecutorFeatureStep.scala, SPARK-57493",
    },
    "not-ready-addresses": {
      what: "the driver Service has publishNotReadyAddresses",
      source: "DriverServiceFeatureStep.scala",
    },
    "proxy-user-in-pod": {
      what: "SPARK_USER of the driver pod is the proxy user",
      source: "BasicDriverFeatureStep.scala",
    },
    "whole-task-cpus": {
      what: "in recovery mode fractions of spark.task.cpus are rounded up",
      source: "BasicExecutorFeatureStep.scala",
    },
  },
} as const;

type Releases = typeof RELEASES;

/** A release by its major and minor version. */
export type SparkRelease = keyof Releases;

/** The name of a difference between Spark releases. */
export type SparkDifference = { [Release in SparkRelease]: keyof Releases[Release] }[SparkRelease];

/** The known releases, oldest first. */
export const SPARK_RELEASES: readonly SparkRelease[] = Object.keys(RELEASES) as SparkRelease[];

/** What a release changed, by name. */
export function differencesSince(release: SparkRelease): Readonly<Record<string, Difference>> {
  return RELEASES[release];
}
