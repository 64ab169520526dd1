import type { KnownFailure } from "./known-failure.ts";

const SPARK_IMAGE =
  "take an image of Spark for Kubernetes, whose entry point is Spark's /opt/entrypoint.sh (apache/spark, or built with bin/docker-image-tool.sh), or have the image's ENTRYPOINT end in it";

export const COMMAND_ADVICE: string =
  "a command in the driver's pod template takes the place of the image's entry point, or the image has another one: take the command out (spark.kubernetes.driver.podTemplateFile), or have it end in exec /opt/entrypoint.sh \"$@\"";

/** Images with an entry point that is not Spark's, or not for this version or processor. */
export const otherEntryPoint = (): readonly KnownFailure[] => [
  {
    words: /\b(driver-(?:py|r))\b["']?(?: failed: No such file|: (?:command )?not found|: executable file not found)/,
    cause: "WrongImage",
    says: (command) => `the image is of Spark 3 or later, and is asked for "${command}" as Spark 2.4 asks`,
    advice: "submit with the version of Spark that the image has: kindling submit, or its spark-submit",
  },
  {
    words: /exec format error|qemu-\w+: Could not open|rosetta error/i,
    cause: "WrongImage",
    says: () => "the image is made for another processor (architecture) than the node's: exec format error",
    advice:
      "build the image for the nodes' processor (docker buildx --platform linux/amd64,linux/arm64), or choose nodes of its own: spark.kubernetes.node.selector.kubernetes.io/arch",
  },
  {
    words:
      /(?:No such option|[Uu]nrecogni[sz]ed (?:option|arguments?)|[Uu]nknown (?:option|flag|argument)|invalid option|flag provided but not defined|unexpected argument)\b.*?(--?properties-file|--deploy-mode|spark\.driver\.bindAddress)/,
    cause: "WrongImage",
    says: (flag) =>
      `the container runs another program than Spark's entry point, and that does not know Spark's arguments (${flag})`,
    advice: COMMAND_ADVICE,
  },
  {
    words:
      /(?:exec:? |exec ")?["']?\b(driver|executor)["']?(?::? (?:command )?not found| failed: No such file|: No such file or directory|: executable file not found)|(?:[Uu]nknown|[Ii]nvalid|No such|unrecognized) (?:command|subcommand|choice|argument)s?:? ['"\u201C\u2018]?(driver|executor)\b|Cannot find module '[^']*\/(driver|executor)'|can't open file '(?:[^']*\/)?(driver|executor)'|Unable to access jarfile (driver|executor)|invalid time interval ['\u2018](driver|executor)/,
    cause: "WrongImage",
    says: (...names) =>
      `the image is none for Spark on Kubernetes: its entry point does not know the command "${names.find((name) => name !== "") ?? "driver"}"`,
    advice: SPARK_IMAGE,
  },
];

/** What an entry point does not find in its image, or may not do in it. */
export const incompleteImage = (): readonly KnownFailure[] => [
  {
    words: /JAVA_HOME is not set|\/bin\/java: No such file|java: (?:command )?not found/,
    cause: "WrongImage",
    says: () => "there is no Java where the image looks for it (JAVA_HOME)",
    advice:
      "take an image with Java, or correct JAVA_HOME: spark.kubernetes.driverEnv.JAVA_HOME and spark.executorEnv.JAVA_HOME",
  },
  {
    words:
      /(?<![\w./-])(\/\S*(?:spark-submit|spark-class|entrypoint\.sh|tini)): (?:No such file|not found)|Could not find or load main class org\.apache\.spark\.\S+|Failed to find Spark jars directory|\[FATAL tini.*exec (\S+) failed/,
    cause: "WrongImage",
    says: () => "the image has no Spark where its entry point looks for it (SPARK_HOME, /opt/spark)",
    advice: SPARK_IMAGE,
  },
  {
    words: /Could not find or load main class ([\w.$]+)/,
    cause: "ClassNotFound",
    says: (name) => `class ${name} is in none of the jars`,
    advice: "check --class, with its package, and that the application's jar holds it: jar tf APP.jar",
  },
  {
    words: /line \d+: (\/\S+): (?:Permission denied|Read-only file system)/,
    cause: "DiskFull",
    says: (file) => `the container's user cannot write ${file}`,
    advice:
      "mount a volume there that it can write (an emptyDir in the pod template, with securityContext.fsGroup), or leave the folder as the image has it",
  },
  {
    words: /bash\\r|\/bin\/(?:ba)?sh\^M|env: .*\\r/,
    cause: "WrongImage",
    says: () => "a script of the image has the line ends of Windows",
    advice: "convert it (dos2unix) and build the image again",
  },
  {
    words: /(?<!\S)(\S*entrypoint\.sh|\S+\.sh)"?: [Pp]ermission denied/,
    cause: "WrongImage",
    says: (file) => `the container's user may not run ${file}`,
    advice:
      "chmod a+rx in the image, or set the user of the image in the pod template's securityContext.runAsUser (185 in apache/spark)",
  },
];
