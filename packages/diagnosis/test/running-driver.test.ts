import { describe, expect, test } from "vitest";
import { diagnose, type Evidence } from "../src/index.ts";
import { container, CREATED, ended, evidence, event, NOW, pod } from "./fixtures/pods.ts";
import { matching, told } from "./fixtures/told.ts";

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
