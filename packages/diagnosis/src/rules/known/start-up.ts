import { incompleteImage, otherEntryPoint } from "./image-contents.ts";
import { javaOptions } from "./java-options.ts";
import type { KnownFailure } from "./known-failure.ts";

const IVY =
  "set spark.jars.ivy=/tmp/.ivy2: the container's user has no home that it can write to; spark.kindling.packages.resolve=submitter resolves packages before pods are made";

/**
 * What keeps a container's program from starting: it is not reported by an exception, but by a line of a shell, of the JVM or
 * of the kernel.
 */
export const startUp = (): readonly KnownFailure[] => [
  ...otherEntryPoint(),
  ...javaOptions(),
  ...incompleteImage(),
  {
    words:
      /basedir must be absolute: |\.ivy2\S* \((?:No such file|Permission denied)|(?:NoSuchFile|AccessDenied|FileNotFound)Exception: \S*\.ivy2/,
    advice: IVY,
  },
  {
    words: /Could not parse Master URL: '(k8s:\S+)'/,
    cause: "WrongImage",
    says: (master) => `the image's Spark does not know Kubernetes: it could not parse ${master}`,
    advice: "take an image whose Spark has its Kubernetes module (spark-kubernetes_…jar in /opt/spark/jars)",
  },
  {
    words: /A master URL must be set/,
    advice:
      "the program makes its own session outside of spark-submit: leave the image's entry point to Spark, and master out of the program",
  },
];

/** Users that the image does not know, and names that the image needs. */
export const users = (): readonly KnownFailure[] => [
  {
    words:
      /invalid null input: name|getpwuid\(\): uid not found: ?(\d*)|UnixPrincipal|cannot find name for user ID (\d+)|No user exists for uid/i,
    cause: "WrongImage",
    says: (uid, other) =>
      `the container runs as a user without a name${uid || other ? ` (${uid || other})` : ""}: the image has no such user`,
    advice:
      "run as a user of the image (securityContext.runAsUser in the pod template, 185 in apache/spark), or have the entry point add one to /etc/passwd as Spark's own does; HADOOP_USER_NAME and spark.jars.ivy=/tmp/.ivy2 help programs that only ask for a name or a home",
  },
];
