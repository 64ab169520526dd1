import type { KnownFailure } from "./known-failure.ts";

/** Limits of Spark that its own messages do not explain. */
export const limits = (): readonly KnownFailure[] => [
  {
    words: /external shuffle s(?:erver|ervice)/,
    cause: "ExecutorsFailing",
    advice:
      "Spark has no external shuffle service on Kubernetes: spark.shuffle.service.enabled=false, and with dynamic allocation spark.dynamicAllocation.shuffleTracking.enabled=true",
  },
  {
    words: /Total size of serialized results of .* is bigger than spark\.driver\.maxResultSize/,
    advice:
      "collect less in the driver (write the result, or limit it), or raise spark.driver.maxResultSize together with spark.driver.memory",
  },
  {
    words: /Not enough memory to build and broadcast|Cannot broadcast the table (?:that is larger|over)/,
    advice:
      "the table is too large to be broadcast: spark.sql.autoBroadcastJoinThreshold=-1, or raise spark.driver.memory",
  },
  {
    words: /Could not execute broadcast in (\d+) secs/,
    advice: "raise spark.sql.broadcastTimeout, or do not broadcast: spark.sql.autoBroadcastJoinThreshold=-1",
  },
  { words: /Kryo serialization failed: Buffer overflow/, advice: "raise spark.kryoserializer.buffer.max" },
  {
    words: /StackOverflowError/,
    advice:
      "a plan or a lineage is too deep: cut it (checkpoint, fewer columns in a loop), or -Xss16m in spark.driver.extraJavaOptions",
  },
  {
    words: /System memory \d+ must be at least|Executor memory \d+ must be at least/,
    advice: "raise spark.driver.memory (--driver-memory) or spark.executor.memory to 512m at least",
  },
  {
    words:
      /module java\.base does not "?(?:opens|exports?)|InaccessibleObjectException|cannot access class .*module java\.base/,
    cause: "JavaOptions",
    advice:
      "this Spark is not made for the image's Java: take an image of a Java that it knows (8, 11, 17 with 3.5; 17, 21 with 4.x), or keep --add-opens of JDK_JAVA_OPTIONS where extraJavaOptions replace them",
  },
  {
    words: /UnsatisfiedLinkError.*(?:ld-linux|musl|Error loading shared library)|Error loading shared library/,
    cause: "WrongImage",
    advice:
      "the image's C library is not the one that the native library is made for: take an image of Debian or Ubuntu in place of Alpine",
  },
  {
    words: /failed to map segment from shared object|UnsatisfiedLinkError.*\/tmp\//,
    advice:
      "/tmp is mounted noexec, and native libraries are unpacked there: -Djava.io.tmpdir and -Dorg.xerial.snappy.tempdir in the Java options name another folder",
  },
  {
    words: /NotSerializableException|Task not serializable/,
    advice:
      "what a task uses is sent to executors: make that class serializable, or make the object inside of the task",
  },
  {
    words: /(?:numpy\S*MemoryError|^MemoryError|: MemoryError)/,
    cause: "OOMKilled",
    advice:
      "Python's memory is outside of Java's heap: raise spark.driver.memoryOverhead for Python in the driver, spark.executor.memoryOverhead or spark.executor.pyspark.memory for Python workers",
  },
  {
    words: /MetadataFetchFailedException|FetchFailedException|Missing an output location for shuffle/,
    cause: "ExecutorsFailing",
    advice:
      "executors that held shuffle files are gone: how they ended is what to look at; spark.decommission.enabled keeps the files of those that are taken away",
  },
  {
    words: /Executor heartbeat timed out/,
    cause: "ExecutorsFailing",
    advice:
      "executors did not answer, for long collections of garbage as a rule: raise spark.executor.memory or lower spark.executor.cores; spark.network.timeout gives them longer",
  },
  {
    words: /UNABLE_TO_INFER_SCHEMA|TABLE_OR_VIEW_NOT_FOUND|Table or view not found/,
    advice:
      "correct the name; a catalog's table needs its configuration in the driver (spark.sql.catalog.*, hive-site.xml, enableHiveSupport)",
  },
];
