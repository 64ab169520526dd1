import { describe, expect, test } from "vitest";
import { diagnose, type Evidence, type Finding } from "../src/index.ts";
import { container, CREATED, ended, evidence, event, failed, NOW, pod } from "./fixtures/pods.ts";

type Expected = Partial<Omit<Finding, "advice" | "summary" | "details">> & {
  readonly state?: string;
  readonly summary: RegExp;
  readonly details?: readonly string[];
  readonly advice?: RegExp;
};

/** The state, and the first finding. */
function told(given: Evidence): Partial<Finding> & { readonly state: string } {
  const { state, findings } = diagnose(given, NOW);
  return { ...findings[0], state };
}

function matching({ summary, advice, ...rest }: Expected): object {
  const patterns = Object.entries({ summary, ...(advice !== undefined && { advice }) });
  return {
    ...rest,
    ...Object.fromEntries(patterns.map(([key, pattern]) => [key, expect.stringMatching(pattern) as unknown])),
  };
}

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

describe("a driver that waits", () => {
  const unschedulable = pod({
    status: {
      conditions: [
        {
          ...{ type: "PodScheduled", status: "False", reason: "Unschedulable" },
          message:
            "0/3 nodes are available: 1 node(s) had untolerated taint {a: b}, 2 Insufficient memory. preemption: 0/3 nodes are available: 3 No preemption victims found.",
        },
      ],
    },
  });
  const noImage = (reason: string, message: string) =>
    pod({ node: "node-1", status: { containerStatuses: [container({ waiting: { reason, message } })] } });
  const creating = pod({
    node: "node-1",
    status: { containerStatuses: [container({ waiting: { reason: "ContainerCreating" } })] },
  });
  const inInitContainer = (name: string) =>
    pod({ node: "n1", status: { initContainerStatuses: [container({ running: {} }, { name })] } });
  const gated = (gate: string, labels: Record<string, string>) =>
    pod({ schedulingGates: [{ name: gate }], metadata: { labels } });
  const held = gated("scheduler.kindling/admission", {});
  const notFound =
    'Back-off pulling image "apache/spark:4.3.0": ErrImagePull: rpc error: code = NotFound desc = failed to pull and unpack image "docker.io/apache/spark:4.3.0": failed to resolve reference: not found';

  test.each<[string, Evidence, Expected]>([
    [
      "for a node",
      evidence(unschedulable),
      {
        ...{ state: "Insufficient memory", cause: "Unschedulable", severity: "obstacle", since: CREATED },
        summary: /2 Insufficient memory$/,
        advice: /spark\.driver\.memory/,
      },
    ],
    [
      "for its image",
      evidence(noImage("ImagePullBackOff", notFound)),
      {
        ...{ state: "ImagePullBackOff", cause: "ImagePull" },
        summary: /cannot be had: failed to resolve reference: not found$/,
        advice: /spark\.kubernetes\.container\.image/,
      },
    ],
    [
      "for its image, of which only an event tells why",
      ((driver) =>
        evidence(driver, {
          events: [event(driver, "Failed", 'Failed to pull image "apache/spark:4.3.0": 401 unauthorized')],
        }))(noImage("ImagePullBackOff", 'Back-off pulling image "apache/spark:4.3.0"')),
      { state: "ImagePullBackOff", summary: /unauthorized/, advice: /pullSecrets/ },
    ],
    [
      "for a Secret that it mounts",
      evidence(creating, {
        events: [
          event(creating, "FailedMount", 'MountVolume.SetUp failed for volume "s" : secret "keys" not found', 9),
        ],
      }),
      {
        state: "FailedMount",
        cause: "Volume",
        times: 9,
        summary: /secret "keys" not found/,
        advice: /make the secret keys/,
      },
    ],
    [
      "for the certificates of the scheduler's gateway",
      evidence(creating, {
        events: [
          event(
            creating,
            "FailedMount",
            'MountVolume.SetUp failed for volume "v" : configmap "kindling-gateway-ca" not found',
          ),
        ],
      }),
      {
        state: "FailedMount",
        cause: "Volume",
        summary: /kindling-gateway-ca/,
        advice: /spark\.kindling\.scheduler\.caFile$/,
      },
    ],
    [
      "for its turn in a queue of the scheduler's gateway",
      evidence(gated("scheduler.kindling/admission", { "scheduler.kindling/queue": "etl" }), { events: undefined }),
      {
        ...{ state: "SchedulingGated", cause: "SchedulingGated", severity: "obstacle", since: CREATED },
        summary: /waits in queue etl of the gateway for room/,
        advice: /spark\.kindling\.scheduler\.minExecutors/,
      },
    ],
    [
      "for a gateway that does not answer",
      evidence(gated("scheduler.kindling/admission", { "scheduler.kindling/queue": "etl" })),
      {
        state: "SchedulingGated",
        summary: /waits in queue etl of the gateway, and no gateway has looked at it yet$/,
        advice: /^check that the gateway runs and serves this namespace/,
      },
    ],
    [
      "for a gateway that has stopped answering",
      evidence(held, {
        events: [
          {
            ...event(held, "AwaitingAdmission", "waiting for 4 CPUs in queue etl"),
            ...{ source: "kindling-gateway", last: "2025-12-31T23:00:00Z" },
          },
        ],
      }),
      { state: "SchedulingGated", summary: /it has said nothing since$/, advice: /^check that the gateway runs/ },
    ],
    [
      "for what the gateway says in an event",
      evidence(held, {
        events: [
          { ...event(held, "AwaitingAdmission", "waiting for 4 CPUs in queue etl"), source: "kindling-gateway" },
          { ...event(held, "AwaitingAdmission", "send money"), source: "somebody" },
        ],
      }),
      { state: "SchedulingGated", summary: /held back by the gateway: waiting for 4 CPUs in queue etl$/ },
    ],
    [
      "for its turn in the gateway's default queue",
      evidence(gated("scheduler.kindling/admission", {})),
      { state: "SchedulingGated", summary: /waits in the gateway's default queue/ },
    ],
    [
      "for somebody else's gate",
      evidence(gated("example.org/later", {})),
      { state: "SchedulingGated", summary: /held back by scheduling gates: example\.org\/later$/ },
    ],
    [
      "for a Secret in its environment",
      evidence(noImage("CreateContainerConfigError", 'secret "keys" not found')),
      {
        state: "CreateContainerConfigError",
        cause: "ContainerConfig",
        summary: /keys/,
        advice: /make the secret keys/,
      },
    ],
    [
      "for the localizer",
      evidence(inInitContainer("spark-localizer")),
      { state: "starting", summary: /the localizer is bringing the pod's files$/ },
    ],
    [
      "for what somebody else's container does",
      evidence(inInitContainer("istio-proxy")),
      { state: "starting", summary: /node n1 has not started the pod's containers yet$/ },
    ],
    [
      "for a scheduler that nobody runs",
      evidence(pod()),
      {
        state: "not scheduled",
        cause: "SlowStart",
        summary: /no scheduler/,
        advice: /spark\.kubernetes\.scheduler\.name/,
      },
    ],
  ])("%s", (_, given, expected) => {
    expect(told(given)).toMatchObject(matching(expected));
  });

  // The words of packages/gateway, wait-words.ts.
  test.each<[string, RegExp, RegExp]>([
    ["there is no queue etl that applications can be in: name another", /name a queue that is there/, /wait/],
    ["its namespace may not use queue etl: name one of a, b", /queue that the namespace may use/, /wait/],
    [
      "asks for 900 CPUs, and that is more than the whole capacity can ever give: ask",
      /waiting does not help.*add nodes/,
      /^wait /,
    ],
    [
      "asks for 9 CPUs, and that is more than the ceiling of queue etl can ever give: ask",
      /waiting does not help.*larger queue/,
      /nodes/,
    ],
    ["asks for 9 CPUs, and that is more than ResourceQuota team can ever give: ask", /quota raised/, /^wait /],
    ["waiting for 2 CPUs in queue etl: the ceiling of queue etl is reached", /^wait for.*ceiling raised/, /add nodes/],
    [
      "waiting for room in ResourceQuota team of its namespace, in queue etl",
      /kubectl describe resourcequota/,
      /ceiling/,
    ],
    ["waiting for 2 CPUs in queue etl; ahead: 3 applications", /^wait for the applications before it/, /raised/],
  ])("for the gateway, which says %j", (words, advice, never) => {
    const told = { ...event(held, "AwaitingAdmission", words), source: "kindling-gateway" };
    const [finding] = diagnose(evidence(held, { events: [told] }), NOW).findings;
    expect(finding?.summary).toContain(words);
    expect(finding?.advice).toMatch(advice);
    expect(finding?.advice).not.toMatch(never);
  });

  test("not yet for long: nothing is said", () => {
    const driver = pod({ metadata: { creationTimestamp: "2026-01-01T00:09:55Z" } });
    expect(diagnose(evidence(driver), NOW)).toMatchObject({ state: "Pending", findings: [] });
  });
});

describe("executors of a driver that runs", () => {
  const driver = pod({ node: "node-1", status: { phase: "Running", containerStatuses: [container({ running: {} })] } });
  const executor = (id: number, status: NonNullable<Parameters<typeof pod>[0]>["status"], node?: string) =>
    pod({ role: "executor", id, ...(status && { status }), ...(node !== undefined && { node }) });
  const spark = { name: "spark-kubernetes-executor" };
  const message = "0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: no";
  const unschedulable = {
    conditions: [{ type: "PodScheduled", status: "False", reason: "Unschedulable", message }],
  };

  test("for which there is no room are told of together", () => {
    const executors = [1, 2, 3].map((id) => executor(id, unschedulable));
    expect(told(evidence(driver, { executors }))).toMatchObject(
      matching({
        ...{ state: "0/3 executors: Insufficient cpu", role: "executor", times: 3 },
        pods: ["etl-exec-1", "etl-exec-2", "etl-exec-3"],
        summary: /Insufficient cpu$/,
        advice: /spark\.kubernetes\.executor\.request\.cores/,
      }),
    );
  });

  test("that are made early, and wait for it", () => {
    const waiting = [container({ running: {} }, { name: "kindling-wait-for-driver" })];
    const executors = [1, 2].map((id) => executor(id, { initContainerStatuses: waiting }, "node-2"));
    expect(told(evidence(driver, { executors }))).toMatchObject(
      matching({
        ...{ state: "starting (executors)", times: 2 },
        summary: /ready, and waits for its driver/,
      }),
    );
  });

  test("whose image is not there", () => {
    const waiting = { reason: "ErrImagePull", message: "no such host" };
    const executors = [executor(1, { containerStatuses: [container({ waiting }, spark)] }, "node-2")];
    expect(told(evidence(driver, { executors }))).toMatchObject(
      matching({
        ...{ state: "ErrImagePull (executors)", cause: "ImagePull" },
        summary: /no such host/,
        advice: /does not reach the registry/,
      }),
    );
  });

  test("whose image is not there, of which one waits for the next try, and one has just tried", () => {
    const fault = 'failed to pull image "apache/spark:4.3.0": not found';
    const tried = { reason: "ErrImagePull", message: fault };
    const waits = {
      reason: "ImagePullBackOff",
      message: `Back-off pulling image "apache/spark:4.3.0": ErrImagePull: ${fault}`,
    };
    const executors = [tried, waits].map((waiting, index) =>
      executor(index + 1, { containerStatuses: [container({ waiting }, spark)] }, "node-2"),
    );
    const { findings } = diagnose(evidence(driver, { executors }), NOW);
    expect(findings).toMatchObject([{ cause: "ImagePull", pods: ["etl-exec-1", "etl-exec-2"] }]);
  });

  test("whose node fetches many images: what an event tells of one comes first", () => {
    const waiting = { reason: "ErrImagePull", message: "pull QPS exceeded" };
    const busy = executor(1, { containerStatuses: [container({ waiting }, spark)] }, "node-2");
    const at = (events: Evidence["events"]): Evidence => evidence(driver, { executors: [busy], events });
    expect(told(at([]))).toMatchObject(
      matching({ summary: /cannot be had: pull QPS exceeded$/, advice: /when its kubelet may/ }),
    );
    const before = event(busy, "Failed", 'Failed to pull image "apache/spark:4.3.0": 401 unauthorized');
    expect(told(at([before]))).toMatchObject(matching({ summary: /unauthorized/, advice: /pullSecrets/ }));
  });

  test("that were killed for their memory, and are there", () => {
    const status = { phase: "Failed", containerStatuses: [container(ended(137, "OOMKilled"), spark)] };
    const log = ["The executor with id 1 exited with exit code 137(SIGKILL, possible container OOM)."];
    const { findings } = diagnose(evidence(driver, { executors: [executor(1, status, "n")], log }), NOW);
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({ cause: "OOMKilled", role: "executor", pods: ["etl-exec-1"] });
  });

  test("that were killed, of which only the driver's log tells", () => {
    const log = [1, 2, 2, 3].map(
      (id) => `The executor with id ${id} exited with exit code 137(SIGKILL, possible container OOM).`,
    );
    const logTimes = [4, 5, 6, 7].map((minute) => `2026-01-01T00:0${minute}:00.5Z`);
    expect(told(evidence(driver, { log, logTimes }))).toMatchObject(
      matching({
        ...{ state: "OOMKilled (executors)", cause: "OOMKilled", times: 3, since: "2026-01-01T00:04:00.5Z" },
        summary: /3 executors \(1, 2, 3\) ended with exit code 137/,
        advice: /spark\.executor\.memoryOverhead/,
      }),
    );
  });

  test("that the quota leaves no room for", () => {
    const log = [
      'io.fabric8.kubernetes.client.KubernetesClientException: Failure executing: POST. Message: pods "e" is forbidden: exceeded quota: team, requested: pods=1, used: pods=2, limited: pods=2. Received status: Status(apiVersion=v1)',
    ];
    expect(told(evidence(driver, { log }))).toMatchObject(
      matching({
        ...{ state: "exceeded quota (executors)", role: "executor", cause: "QuotaExceeded" },
        summary: /exceeded quota: team, requested: pods=1, used: pods=2, limited: pods=2$/,
      }),
    );
  });

  test("that run, and have not registered for a minute while a job waits", () => {
    const log = ["26/01/01 00:09:00 WARN TaskSchedulerImpl: Initial job has not accepted any resources; check"];
    const status = { phase: "Running", startTime: CREATED, containerStatuses: [container({ running: {} }, spark)] };
    const given = evidence(driver, { executors: [executor(1, status, "n")], log });
    expect(told(given)).toMatchObject(
      matching({
        ...{ state: "not registered (executors)", cause: "ExecutorsFailing", pods: ["etl-exec-1"] },
        summary: /^1 executor runs, and has not registered/,
        advice: /NetworkPolicy/,
      }),
    );
    const registered = [...log, "26/01/01 00:09:01 INFO X: Registered executor NettyRpcEndpointRef(spark-client://E)"];
    expect(diagnose({ ...given, log: registered }, NOW).findings).toEqual([]);
  });

  test("that a job waits for, and that nobody has asked for", () => {
    const log = ["26/01/01 00:09:00 WARN TaskSchedulerImpl: Initial job has not accepted any resources; check"];
    expect(told(evidence(driver, { log }))).toMatchObject(
      matching({
        ...{ state: "no executors (executors)", cause: "NoExecutors" },
        summary: /waits for executors/,
        advice: /spark\.executor\.instances/,
      }),
    );
    expect(diagnose(evidence(driver, { log, executors: undefined }), NOW).findings).toEqual([]);
  });

  test("that were refused, which is over", () => {
    const refused =
      'io.fabric8.kubernetes.client.KubernetesClientException: Failure executing: POST at: https://k/api/v1/namespaces/spark/pods. Message: pods "e" is forbidden: maximum cpu usage per Container is 1, but limit is 2. Received status: Status(apiVersion=v1, code=403)';
    const log = ["INFO ExecutorPodsAllocator: Going to request 1 executors", refused];
    const [finding] = diagnose(evidence(driver, { log }), NOW).findings;
    expect(finding).toMatchObject({
      cause: "ExecutorsRefused",
      role: "executor",
      severity: "obstacle",
      word: "LimitRange",
    });
    const logTimes = log.map(() => "2026-01-01T00:01:00Z");
    expect(diagnose(evidence(driver, { log, logTimes }), NOW).findings).toEqual([]);
    expect(diagnose(evidence(driver, { log: [...log, ...log.slice(0, 1), ...log.slice(0, 1)] }), NOW).findings).toEqual(
      [],
    );
  });

  test("that end at once, one after the other, are told of in the words of one that is still there", () => {
    const status = { phase: "Failed", containerStatuses: [container(ended(1), spark)] };
    const log = [1, 2, 3].map((id) => `The executor with id ${id} exited with exit code 1(unexpected).`);
    const own = ["Unrecognized option: -Xmse", "Error: Could not create the Java Virtual Machine."];
    const executors = [executor(3, status, "n")];
    const { findings } = diagnose(
      evidence(driver, { executors, log, executorLog: { pod: "etl-exec-3", log: own } }),
      NOW,
    );
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject(
      matching({
        ...{ cause: "ExecutorsFailing", pods: ["etl-exec-3"], times: 3 },
        summary: /Unrecognized option: -Xmse; 3 executors \(1, 2, 3\) ended again and again with exit code 1/,
        advice: /spark\.executor\.extraJavaOptions/,
        details: own,
      }),
    );
  });

  test("that run are no trouble", () => {
    const executors = [executor(1, { phase: "Running", containerStatuses: [container({ running: {} }, spark)] }, "n")];
    expect(diagnose(evidence(driver, { executors }), NOW)).toEqual({
      ...{ state: "Running", findings: [], executors: { running: 1, total: 1 } },
    });
  });
});

test("what nobody could look at is not taken as not there", () => {
  const given = evidence(pod({ status: { phase: "Running" } }), { executors: undefined, events: undefined });
  expect(diagnose(given, NOW)).toEqual({ state: "Running", findings: [], executors: undefined });
  expect(diagnose(evidence(undefined), NOW).state).toBe("Deleted");
});
