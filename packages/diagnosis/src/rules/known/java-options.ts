import type { KnownFailure } from "./known-failure.ts";

const OPTIONS =
  "correct spark.driver.extraJavaOptions (or spark.driver.defaultJavaOptions, JAVA_TOOL_OPTIONS), for the image's version of Java; memory is set by spark.driver.memory, not by -Xmx";

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

/** Options that keep Java from starting. */
export const javaOptions = (): readonly KnownFailure[] => [
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
];
