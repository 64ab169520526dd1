import { describe, expect, test } from "vitest";
import { type Evidence } from "../src/index.ts";
import { container, ended, evidence, failed, pod } from "./fixtures/pods.ts";
import { type Expected, matching, told } from "./fixtures/told.ts";

const JAVA = `26/01/01 00:06:00 INFO SparkContext: Running Spark version 4.3.0
Exception in thread "main" org.apache.spark.SparkException: Job aborted due to stage failure
\tat org.apache.spark.scheduler.DAGScheduler.abortStage(DAGScheduler.scala:2785)
\tat com.example.Etl$.main(Etl.scala:12)
\tSuppressed: java.io.IOException: closing
\t\tat com.example.Etl$.close(Etl.scala:3)
Caused by: java.lang.IllegalStateException: no input at s3a://bucket/in
\tat com.example.Etl$.read(Etl.scala:31)
\t... 12 more
26/01/01 00:06:09 INFO ShutdownHookManager: Shutdown hook called`;

const PYTHON = `Traceback (most recent call last):
  File "/app/etl.py", line 12, in <module>
    main()
  File "/app/etl.py", line 7, in main
    raise ValueError("no input")
ValueError: no input
26/01/01 00:06:09 INFO ShutdownHookManager: Shutdown hook called
Exception in thread "main" org.apache.spark.SparkUserAppException: User application exited with 1
\tat org.apache.spark.deploy.PythonRunner$.main(PythonRunner.scala:104)`;

const PY4J = `Traceback (most recent call last):
  File "/app/etl.py", line 9, in <module>
    spark.read.text("s3a://bucket/in").show()
py4j.protocol.Py4JJavaError: An error occurred while calling o31.text.
: java.nio.file.AccessDeniedException: s3a://bucket/in
\tat org.apache.hadoop.fs.s3a.S3AUtils.translateException(S3AUtils.java:255)`;

const IN_WORKER = `Traceback (most recent call last):
  File "/app/etl.py", line 9, in <module>
    print(rdd.map(parse).collect())
py4j.protocol.Py4JJavaError: An error occurred while calling z:org.apache.spark.api.python.PythonRDD.collectAndServe.
: org.apache.spark.SparkException: Job aborted due to stage failure: Task 0 in stage 0.0 failed 4 times, most recent failure: Lost task 0.3 in stage 0.0 (TID 3) (10.0.0.7 executor 1): org.apache.spark.api.python.PythonException: Traceback (most recent call last):
  File "/opt/spark/python/lib/pyspark.zip/pyspark/worker.py", line 1247, in main
    process()
  File "/app/etl.py", line 5, in parse
    raise ValueError(f"no number: {text}")
ValueError: no number: two

\tat org.apache.spark.api.python.BasePythonRunner$ReaderIterator.handlePythonException(PythonRunner.scala:572)`;

const WORKER_KILLED = `Traceback (most recent call last):
  File "/app/etl.py", line 9, in <module>
    rdd.foreach(parse)
py4j.protocol.Py4JJavaError: An error occurred while calling z:org.apache.spark.api.python.PythonRDD.collectAndServe.
: org.apache.spark.SparkException: Job aborted due to stage failure: Task 0 in stage 0.0 failed 4 times, most recent failure: Lost task 0.3 in stage 0.0 (TID 3) (10.0.0.7 executor 1): org.apache.spark.SparkException: Python worker exited unexpectedly (crashed). Consider setting spark.executor.memoryOverhead
\tat org.apache.spark.api.python.BasePythonRunner$ReaderIterator$$anonfun$1.applyOrElse(PythonRunner.scala:610)`;

const SYNTAX = `26/01/01 00:06:00 WARN NativeCodeLoader: Unable to load native-hadoop library
  File "/app/etl.py", line 1
    def f(:
          ^
SyntaxError: invalid syntax
26/01/01 00:06:09 INFO ShutdownHookManager: Shutdown hook called`;

/** The same, with a driver pod that somebody has deleted. */
function deleted(given: Evidence): Evidence {
  return { ...given, driver: given.driver && { ...given.driver, deleting: true } };
}

const R = `Loading required package: methods
Error in library(nosuch) : there is no package called 'nosuch'
Execution halted`;

const FORBIDDEN = `Exception in thread "main" org.apache.spark.SparkException: External scheduler cannot be instantiated
\tat org.apache.spark.SparkContext$.org$apache$spark$SparkContext$$createTaskScheduler(SparkContext.scala:3204)
Caused by: io.fabric8.kubernetes.client.KubernetesClientException: Failure executing: GET at: https://kubernetes.default.svc/api/v1/namespaces/spark/pods/etl-driver. Message: pods "etl-driver" is forbidden: User "system:serviceaccount:spark:default" cannot get resource "pods" in API group "" in the namespace "spark". Received status: Status(apiVersion=v1, code=403)
\tat io.fabric8.kubernetes.client.KubernetesClientException.copyAsCause(KubernetesClientException.java:205)`;

describe("a driver that failed", () => {
  test.each<[string, Evidence, Expected]>([
    [
      "by an exception of the JVM, with its causes",
      failed(1, JAVA),
      {
        state: "Error (1)",
        cause: "ApplicationFailed",
        severity: "failure",
        summary: /^java\.lang\.IllegalStateException: no input at s3a:\/\/bucket\/in \(exit code 1\)$/,
        details: [
          'Exception in thread "main" org.apache.spark.SparkException: Job aborted due to stage failure',
          "Caused by: java.lang.IllegalStateException: no input at s3a://bucket/in",
          "at com.example.Etl$.read(Etl.scala:31)",
        ],
      },
    ],
    [
      "by an exception of Python",
      failed(1, PYTHON),
      {
        state: "Error (1)",
        summary: /^ValueError: no input/,
        details: ["ValueError: no input", 'File "/app/etl.py", line 7, in main'],
      },
    ],
    [
      "by an exception of the JVM that Python had called",
      failed(1, PY4J),
      {
        state: "Error (1)",
        summary: /^java\.nio\.file\.AccessDeniedException: s3a:\/\/bucket\/in/,
        details: ["java.nio.file.AccessDeniedException: s3a://bucket/in", 'File "/app/etl.py", line 9, in <module>'],
      },
    ],
    [
      "by an exception of Python in an executor",
      failed(1, IN_WORKER),
      {
        state: "Error (1)",
        cause: "ApplicationFailed",
        summary: /^ValueError: no number: two/,
        details: ["ValueError: no number: two", 'File "/app/etl.py", line 5, in parse'],
      },
    ],
    [
      "for its Python workers, which the kernel kills where it leaves the executor alone",
      failed(1, WORKER_KILLED),
      {
        state: "Error (1)",
        cause: "PythonWorkerCrashed",
        summary: /^a Python worker of an executor ended again and again/,
        advice: /spark\.executor\.memoryOverhead/,
      },
    ],
    [
      "before it began, for a line that Python cannot read",
      failed(1, SYNTAX),
      {
        state: "Error (1)",
        cause: "ApplicationFailed",
        summary: /^SyntaxError: invalid syntax/,
        details: ["SyntaxError: invalid syntax", 'File "/app/etl.py", line 1'],
      },
    ],
    [
      "by its pod's deletion, whatever it said of the signal",
      deleted(failed(143, JAVA)),
      { state: "Deleted", cause: "Deleted", severity: "failure", summary: /^the driver pod was deleted while/ },
    ],
    [
      "without a reason in its log: what every driver writes is none",
      failed(
        3,
        "26/01/01 00:06:00 WARN NativeCodeLoader: Unable to load\nWARNING: Using incubator modules: a\nall is lost",
      ),
      { state: "Error (3)", summary: /exit code 3$/, details: ["all is lost"] },
    ],
    [
      "for its executors, of which too many failed",
      failed(11, "26/01/01 00:06:00 ERROR ExecutorPodsAllocator: Max number of executor failures (4) reached"),
      {
        state: "Error (11)",
        cause: "ExecutorsFailing",
        summary: /^Spark gave up, because more than 4 executors had failed/,
        advice: /deleteOnTermination=false/,
      },
    ],
    ["by an error of R", failed(1, R), { state: "Error (1)", summary: /^Error in library\(nosuch\)/ }],
    [
      "for its class",
      failed(101, "Error: Failed to load class com.example.Elt."),
      {
        state: "Error (101)",
        cause: "ClassNotFound",
        summary: /class com\.example\.Elt is in none of the jars/,
        advice: /--class/,
      },
    ],
    [
      "for its jar, which is why the class is not there",
      failed(
        101,
        "26/01/01 WARN DependencyUtils: Local jar /opt/app.jar does not exist, skipping.\nError: Failed to load class a.B.",
      ),
      {
        state: "Error (101)",
        cause: "FileNotFound",
        summary: /\/opt\/app\.jar is not in the image/,
        advice: /local:\/\//,
      },
    ],
    [
      "for its script",
      failed(2, "python3: can't open file '/app/elt.py': [Errno 2] No such file or directory"),
      { state: "Error (2)", cause: "FileNotFound", summary: /\/app\/elt\.py/ },
    ],
    [
      "for its account's rights",
      failed(1, FORBIDDEN),
      {
        state: "Error (1)",
        cause: "Forbidden",
        summary: /system:serviceaccount:spark:default cannot get resource "pods"/,
        advice: /kindling rbac driver -n spark --serviceaccount=spark:default/,
      },
    ],
    [
      "for Java's heap",
      failed(
        1,
        'Exception in thread "main" java.lang.OutOfMemoryError: Java heap space\n\tat com.example.A.b(A.java:1)',
      ),
      { state: "Error (1)", cause: "JavaHeapFull", summary: /heap/, advice: /spark\.driver\.memory/ },
    ],
    [
      "for its memory",
      failed(137, "", "OOMKilled"),
      { state: "OOMKilled", cause: "OOMKilled", summary: /memory/, advice: /spark\.driver\.memoryOverhead/ },
    ],
    ["by a signal", failed(143, ""), { state: "Error (143)", summary: /SIGTERM/ }],
    ["without a word", evidence(failed(1, "").driver), { state: "Error (1)", summary: /no log/, advice: /image/ }],
    [
      "by eviction",
      evidence(
        pod({
          node: "node-1",
          status: {
            phase: "Failed",
            reason: "Evicted",
            message: "The node was low on resource: ephemeral-storage.",
            containerStatuses: [container(ended(143))],
          },
        }),
      ),
      { state: "Evicted", cause: "Evicted", summary: /node-1: The node was low on/, advice: /spark-local-dir/ },
    ],
    [
      "by the localizer, in its own words",
      evidence(
        pod({
          status: {
            phase: "Failed",
            initContainerStatuses: [
              container(
                ended(
                  7,
                  "Error",
                  '{"reason":"unreachable","message":"staging:10000 does not answer","hint":"check it"}\n',
                ),
                { name: "spark-localizer" },
              ),
            ],
          },
        }),
      ),
      {
        state: "localizer: unreachable",
        cause: "Localizer",
        summary: /staging:10000 does not answer/,
        advice: /^check it$/,
      },
    ],
  ])("%s", (_, given, expected) => {
    expect(told(given)).toMatchObject(matching(expected));
  });
});
