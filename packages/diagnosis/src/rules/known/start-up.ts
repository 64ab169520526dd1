import type { KnownFailure } from "./known-failure.ts";

const OPTIONS =
  "correct spark.driver.extraJavaOptions (or spark.driver.defaultJavaOptions, JAVA_TOOL_OPTIONS), for the image's version of Java; memory is set by spark.driver.memory, not by -Xmx";
const SPARK_IMAGE =
  "take an image of Spark for Kubernetes, whose entry point is Spark's /opt/entrypoint.sh (apache/spark, or built with bin/docker-image-tool.sh), or have the image's ENTRYPOINT end in it";
const IVY =
  "set spark.jars.ivy=/tmp/.ivy2: the container's user has no home that it can write to; spark.kindling.packages.resolve=submitter resolves packages before pods are made";

export const COMMAND_ADVICE: string =
  "a command in the driver's pod template takes the place of the image's entry point, or the image has another one: take the command out (spark.kubernetes.driver.podTemplateFile), or have it end in exec /opt/entrypoint.sh \"$@\"";

// HotSpot's launcher and its parser of arguments (arguments.cpp, java.c), of 8 to 25.
const JVM_OPTION = new RegExp(
  `^((?:Error: )?(?:${[
    "Unrecognized (?:VM )?option:? .+",
    "VM option '[^']+' is .*",
    "(?:Improperly specified|Missing \\+/- setting for|Unexpected \\+/- setting in) VM option .*",
    "(?:Invalid|Too small) (?:maximum|initial) heap.*",
    "Invalid (?:thread stack size|-Xlog option).*",
    "Initial heap size set to a larger value .*",
    "Multiple garbage collectors selected.*",
    "Conflicting (?:collector combinations|GC|garbage) ?.*",
    "Could not find or load main class -\\S+",
    "-(?:X|-)\\S+ (?:is not|requires) .*",
    "Cannot open file .* due to .*",
  ].join("|")}))$`,
);

/** What keeps a container's program from starting: no exception tells of it, but a line of a shell, of the JVM or of the kernel. */
export const startUp = (): readonly KnownFailure[] => [
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
  {
    words: /Error opening zip file or JAR manifest missing ?:? (\S+)|Could not find agent library (\S+)/,
    cause: "JavaOptions",
    says: (jar, library) => `the Java agent ${jar || library} is not in the image, so that Java does not start`,
    advice:
      "build it into the image at that path, or correct what names it: -javaagent in spark.driver.extraJavaOptions and spark.executor.extraJavaOptions, monitoring.prometheus.jmxExporterJar of a SparkApplication",
  },
  {
    words: /(?:processing of -javaagent failed|agent library failed).*?/,
    cause: "JavaOptions",
    advice:
      "a Java agent (-javaagent in spark.driver.extraJavaOptions) ended Java before it began; one that listens needs a port that is free in the pod",
  },
  {
    words: JVM_OPTION,
    cause: "JavaOptions",
    says: (line) => `Java does not start: ${line.replace(/^Error: /, "")}`,
    advice: OPTIONS,
  },
  {
    words:
      /Could not reserve enough space for .*heap|Failed to reserve (?:shared )?memory|insufficient memory for the Java Runtime/,
    cause: "JavaOptions",
    says: () => "Java does not start: the container's limit has no room for its heap",
    advice: "lower -Xms in the Java options, or raise spark.driver.memory and spark.driver.memoryOverhead",
  },
  {
    words: /^Error: Could not create the Java Virtual Machine/,
    cause: "JavaOptions",
    says: () => "Java does not start: one of its options is wrong",
    advice: OPTIONS,
  },
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
  {
    words:
      /basedir must be absolute: \?|\.ivy2\S* \((?:No such file|Permission denied)|(?:NoSuchFile|AccessDenied|FileNotFound)Exception: \S*\.ivy2/,
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

/** Users that the image does not know; the names that it asks for. */
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
