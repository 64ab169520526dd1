import type { KnownFailure } from "./known-failure.ts";

function tooNew(name: string, version: string): string {
  return `class ${name.replaceAll("/", ".")} was compiled for Java ${Number(version) - 44}, which the image's Java is too old for`;
}

const COMPILE = "compile for the image's Java (javac --release), or take an image of a newer Java";

/** Classes that were compiled for other versions of Java, Scala or Spark than those in the image. */
export const otherVersions = (): readonly KnownFailure[] => [
  {
    words: /UnsupportedClassVersionError: (\S+) ?: Unsupported major\.minor version (\d+)/,
    cause: "ClassNotFound",
    says: tooNew,
    advice: COMPILE,
  },
  {
    words: /Unsupported class file major version (\d+)/,
    cause: "WrongImage",
    says: (version) =>
      `the image's Java ${Number(version) - 44} is newer than its Spark knows: Unsupported class file major version ${version}`,
    advice: "take an image with a Java that this Spark knows: 8, 11 or 17 with Spark 3.5, 17 or 21 with 4.x",
  },
  {
    words:
      /(?:NoClassDefFoundError|ClassNotFoundException): (\S*(?:io[./]fabric8[./]kubernetes|spark[./]scheduler[./]cluster[./]k8s)\S*)/,
    cause: "WrongImage",
    says: (name) =>
      `the image's Spark is without its Kubernetes module: class ${name.replaceAll("/", ".")} is not there`,
    advice:
      "take an image whose Spark is built with it (kubernetes-client-…jar and spark-kubernetes_…jar in /opt/spark/jars)",
  },
  {
    words: /UnsupportedClassVersionError: (\S+) .*class file version (\d+)/,
    cause: "ClassNotFound",
    says: tooNew,
    advice: COMPILE,
  },
  {
    words:
      /(?:NoSuchMethodError|NoClassDefFoundError|AbstractMethodError|IncompatibleClassChangeError|ClassNotFoundException): '?(?:[\w.[\]]+ )?(scala[./](?:Predef|Product\$class|Serializable|collection|runtime|Function\d\$class|\$less)\S*)/,
    cause: "ClassNotFound",
    advice:
      "a jar is built for another version of Scala than the image's Spark (2.12 with Spark 3.5 as a rule, 2.13 with 4.x): take those whose name ends in the image's, as in ls /opt/spark/jars/scala-library-*",
  },
  {
    words:
      /(?:NoSuchMethodError|NoSuchFieldError|AbstractMethodError|IncompatibleClassChangeError|IllegalAccessError)\b(?!.*module java\.base)/,
    cause: "ClassNotFound",
    advice:
      "two versions of a library do not go together: take jars that are made for the image's versions of Spark and Hadoop; spark.driver.userClassPathFirst and spark.executor.userClassPathFirst prefer yours",
  },
];
