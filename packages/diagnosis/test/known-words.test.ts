import { describe, expect, test } from "vitest";
import { diagnose } from "../src/index.ts";
import { container, evidence, failed, NOW, pod } from "./fixtures/pods.ts";

/** An exception as log4j and Java print it. */
const thrown = (...lines: readonly string[]): string =>
  lines.map((line) => `${line}\n\tat shop.Daily.main(Daily.java:9)`).join("\n");

const inTask = (what: string): string =>
  `Exception in thread "main" org.apache.spark.SparkException: Job aborted due to stage failure: Task 0 in stage 1.0 failed 4 times, most recent failure: Lost task 0.3 in stage 1.0 (TID 9) (10.4.0.9 executor 3): ${what}\n\tat shop.Daily.map(Daily.java:3)\n\nDriver stacktrace:\n\tat org.apache.spark.scheduler.DAGScheduler.abortStage(DAGScheduler.scala:2935)`;

const traceback = (...exception: readonly string[]): string =>
  `Traceback (most recent call last):\n  File "/srv/jobs/daily.py", line 3, in <module>\n    main()\n  File "/opt/spark/python/lib/pyspark.zip/pyspark/sql/dataframe.py", line 1, in collect\n${exception.join("\n")}`;

type Row = readonly [log: string, summary: RegExp, advice: RegExp];

/** The first finding for a driver that failed with this log. */
function told(log: string, code = 1): object {
  const { summary, advice = "" } = diagnose(failed(code, log), NOW).findings[0] ?? {};
  return { summary, advice };
}

function matching(summary: RegExp, advice: RegExp): object {
  return { summary: expect.stringMatching(summary) as unknown, advice: expect.stringMatching(advice) as unknown };
}

describe("whose memory was full, and which", () => {
  test.each<Row>([
    [
      thrown('Exception in thread "main" java.lang.OutOfMemoryError: Metaspace'),
      /metaspace.* in the driver/,
      /MaxMetaspaceSize/,
    ],
    [
      inTask("io.netty.util.internal.OutOfDirectMemoryError: failed to allocate 16777216 byte(s) of direct memory"),
      /direct memory.* in executor 3/,
      /MaxDirectMemorySize in spark\.executor/,
    ],
    [
      thrown("26/01/01 00:06:00 ERROR Daily: no", "java.lang.OutOfMemoryError: Requested array size exceeds VM limit"),
      /array larger/,
      /split/,
    ],
    [traceback("MemoryError"), /memory of Python in the driver/, /spark\.driver\.memoryOverhead/],
    [
      inTask(
        `org.apache.spark.api.python.PythonException: Traceback (most recent call last):\n  File "/srv/jobs/daily.py", line 9, in f\nnumpy.core._exceptions._ArrayMemoryError: Unable to allocate 3.2 GiB\n`,
      ),
      /Python worker of executor 3/,
      /spark\.executor\.memoryOverhead/,
    ],
    [
      `java.lang.OutOfMemoryError: GC overhead limit exceeded\n${traceback("py4j.protocol.Py4JNetworkError: Answer from Java side is empty")}`,
      /heap in the driver/,
      /spark\.driver\.memory$/,
    ],
  ])("%s", (log, summary, advice) => {
    expect(told(log)).toEqual(matching(summary, advice));
  });

  test("of a driver whose Java kills itself for its heap", () => {
    expect(told('# java.lang.OutOfMemoryError: Java heap space\n# -XX:OnOutOfMemoryError="kill -9 %p"', 137)).toEqual(
      matching(
        /heap in the driver was full \(java\.lang\.OutOfMemoryError: Java heap space\)/,
        /spark\.driver\.memory/,
      ),
    );
  });
});

describe("what keeps a container's program from starting", () => {
  test.each<Row>([
    ["Error: Cannot find module '/usr/src/app/driver'", /none for Spark/, /entrypoint\.sh/],
    ["/bin/sh: 1: driver: not found", /none for Spark/, /entrypoint\.sh/],
    ["Error: Unable to access jarfile driver", /none for Spark/, /entrypoint\.sh/],
    [`Error: unknown command "driver" for "app"`, /none for Spark/, /entrypoint\.sh/],
    [
      "Invalid maximum heap size: -Xmx4gb",
      /Java does not start: Invalid maximum heap size: -Xmx4gb/,
      /spark\.driver\.memory/,
    ],
    ["Error: VM option 'UseZGC' is experimental and must be enabled", /UseZGC/, /extraJavaOptions/],
    [
      "Error occurred during initialization of VM\nMultiple garbage collectors selected",
      /Multiple garbage/,
      /extraJavaOptions/,
    ],
    [
      `${thrown("Caused by: java.net.BindException: Address already in use")}\nFATAL ERROR in native method: processing of -javaagent failed`,
      /javaagent|BindException/,
      /port/,
    ],
    ["/usr/bin/env: 'python3': No such file or directory", /python3 is not in the image/, /spark\.pyspark\.python/],
    [traceback("KeyError: 'getpwuid(): uid not found: 1000650000'"), /user without a name \(1000650000\)/, /runAsUser/],
    [
      "# A fatal error has been detected by the Java Runtime Environment:\n#\n# Problematic frame:\n# C  [libsnappy.so+0x1]",
      /crashed in native code: C {2}\[libsnappy/,
      /Alpine/,
    ],
  ])("%s", (log, summary, advice) => {
    expect(told(log)).toEqual(matching(summary, advice));
  });
});

describe("what others do not let in, or do not answer", () => {
  test.each<Row>([
    [
      thrown(
        'Exception in thread "main" a.B: no',
        "Caused by: org.apache.kafka.common.errors.SaslAuthenticationException: no",
      ),
      /Sasl/,
      /kafka\.sasl/,
    ],
    [
      traceback(
        "py4j.protocol.Py4JJavaError: An error occurred while calling o1.jdbc.",
        thrown(`: org.postgresql.util.PSQLException: FATAL: password authentication failed for user "etl"`),
      ),
      /^org\.postgresql.*password/,
      /database/,
    ],
    [
      thrown(
        "java.nio.file.AccessDeniedException: s3a://b/k: S3Exception: User: arn:x is not authorized to perform: kms:Decrypt on resource: y",
      ),
      /kms:Decrypt/,
      /needs kms:Decrypt/,
    ],
    [
      thrown(
        'Exception in thread "main" a.B: no',
        "Caused by: javax.net.ssl.SSLHandshakeException: PKIX path building failed",
      ),
      /PKIX/,
      /trustStore/,
    ],
    [
      thrown(
        "java.io.IOException: failure to login: for principal: a@B from keytab /x javax.security.auth.login.LoginException: Kerberos",
      ),
      /keytab/,
      /krb5/,
    ],
    [
      thrown(
        "Exception in thread \"main\" org.apache.spark.SparkException: Cannot find catalog plugin class for catalog 'lake': org.apache.iceberg.spark.SparkCatalog",
      ),
      /SparkCatalog/,
      /iceberg-spark-runtime/,
    ],
  ])("%s", (log, summary, advice) => {
    expect(told(log)).toEqual(matching(summary, advice));
  });
});

describe("what ended a driver, of several", () => {
  test.each<Row>([
    [
      `26/01/01 00:06:00 WARN TaskSetManager: Lost task\n${thrown("java.lang.RuntimeException: once")}\n26/01/01 00:06:01 ERROR Daily: no rows for day 3`,
      /^Daily: no rows for day 3/,
      /^$/,
    ],
    [
      `${thrown("java.lang.IllegalStateException: no rows")}\n26/01/01 00:06:01 ERROR ShutdownHookManager: x\n${thrown("java.util.concurrent.RejectedExecutionException: y")}`,
      /^java\.lang\.IllegalStateException: no rows/,
      /^$/,
    ],
    [
      `java.io.IOException: the root\n\tat a.B.c(B.java:1)\nWrapped by: java.lang.RuntimeException: around it\n\tat a.B.d(B.java:2)`,
      /^java\.io\.IOException: the root/,
      /^$/,
    ],
    [
      `Error in handleErrors(x) : \n  org.apache.spark.sql.AnalysisException: no such column\nExecution halted`,
      /AnalysisException: no such column/,
      /^$/,
    ],
  ])("%s", (log, summary, advice) => {
    expect(told(log)).toEqual(matching(summary, advice));
  });

  test("no error that was logged, where it was killed", () => {
    expect(told(`26/01/01 00:06:00 ERROR Daily: a retry\n${thrown("java.lang.RuntimeException: once")}`, 137)).toEqual(
      matching(/exit code 137/, /memoryOverhead/),
    );
  });
});

describe("executors that a running driver is refused", () => {
  const driver = pod({ node: "node-1", status: { phase: "Running", containerStatuses: [container({ running: {} })] } });
  const SAID =
    'pods "e-exec-1" is forbidden: violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false';
  const WORDS = `Failure executing: POST at: https://k/api/v1/namespaces/spark/pods. Message: ${SAID}. Received status: Status(apiVersion=v1, code=403)`;
  test.each([
    ["as text", `io.fabric8.kubernetes.client.KubernetesClientException: ${WORDS}`],
    [
      "as JSON",
      JSON.stringify({
        ...{ ts: "2026-01-01T00:09:00Z", level: "WARN", msg: "Exception when notifying", logger: "X" },
        exception: { class: "io.fabric8.kubernetes.client.KubernetesClientException", msg: WORDS, stacktrace: [] },
      }),
    ],
  ])("%s", (_, log) => {
    const { state, findings } = diagnose(evidence(driver, { log: [log] }), NOW);
    expect(state).toBe("PodSecurity (executors)");
    expect(findings).toHaveLength(1);
    expect(findings[0]?.summary).toContain(SAID);
    expect(findings[0]?.advice).toMatch(
      /spark\.kindling\.podSecurity=restricted.*spark\.kubernetes\.executor\.podTemplateFile/,
    );
  });
});

describe("a driver that begins while no gateway is there", () => {
  const get = `io.fabric8.kubernetes.client.KubernetesClientException: Operation: [get]  for kind: [Pod]  with name: [etl-driver]  in namespace: [spark]  failed.`;
  const begin = thrown("26/01/01 00:06:00 ERROR SparkContext: Error initializing SparkContext.");

  test.each([
    "java.io.IOException: Connection refused: kindling-gateway.spark-system.svc/10.96.92.239:8443",
    "java.net.ConnectException: Failed to connect to kindling-gateway.spark-system.svc/10.96.92.239:8443",
    "java.net.UnknownHostException: kindling-gateway.spark-system.svc: Name or service not known",
  ])("%s", (cause) => {
    const log = `${begin}\n${thrown(get)}\n${thrown(`Caused by: ${cause}`)}`;
    expect(told(log)).toEqual(
      matching(
        /kindling-gateway/,
        /does not reach the gateway, service kindling-gateway\.spark-system: .*kindling doctor/,
      ),
    );
  });
});
