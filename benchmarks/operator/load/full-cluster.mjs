// @ts-check
// An API server of a full cluster: it lists many applications and their pods. Nothing in them changes.
//
//   node full-cluster.mjs APPLICATIONS PODS   prints its port
import { createServer } from "node:http";
import { applicationOf } from "@kindling/kubeflow-parity/operators";
import { portOf } from "../../harness/port-of.mjs";

const [applications = 0, pods = 0] = process.argv.slice(2).map(Number);
const NAMESPACE = "full";
const RUNNING = applications / 10;
const EXECUTORS = pods / RUNNING - 1;
const SUBMISSION = "7d444840-9dc0-41d1-b245-5ffdce74fad2";
const VERSION = "1000";

const OPERATORS = "sparkoperator.k8s.io/v1beta2";
/** @typedef {{ count: number, at: (index: number) => object, apiVersion: string, kind: string }} Kind of objects, and how many there are */

/**
 * @param {string} apiVersion
 * @param {string} kind
 * @returns {Kind}
 */
const none = (apiVersion, kind) => ({ count: 0, at: () => ({}), apiVersion, kind });

/** @type {Readonly<Record<string, Kind>>} */
const KINDS = {
  scheduledsparkapplications: none(OPERATORS, "ScheduledSparkApplication"),
  services: none("v1", "Service"),
  sparkapplications: {
    count: applications,
    at: application,
    apiVersion: OPERATORS,
    kind: "SparkApplication",
  },
  pods: { count: pods, at: pod, apiVersion: "v1", kind: "Pod" },
};

/**
 * One of ten applications runs. The others have ended.
 *
 * @param {number} index
 */
function application(index) {
  const { metadata, ...rest } = applicationOf(`application-${index}`, NAMESPACE);
  const isRunning = index < RUNNING;
  const count = isRunning ? EXECUTORS : 2;
  const names = Array.from({ length: count }, (_, executor) => executorName(index, executor + 1));
  return {
    ...rest,
    metadata: { ...metadata, ...identity(`a${index}`), generation: 1 },
    status: {
      submissionID: SUBMISSION,
      sparkApplicationId: `spark-${index}`,
      lastSubmissionAttemptTime: "2026-01-01T00:00:00Z",
      ...(!isRunning && { terminationTime: "2026-01-01T01:00:00Z" }),
      driverInfo: { podName: `application-${index}-driver` },
      applicationState: { state: isRunning ? "RUNNING" : "COMPLETED" },
      executorState: Object.fromEntries(names.map((name) => [name, isRunning ? "RUNNING" : "COMPLETED"])),
      executionAttempts: 1,
      submissionAttempts: 1,
    },
  };
}

/** @param {number} index */
function pod(index) {
  const [owner, executor] = [Math.floor(index / (EXECUTORS + 1)), index % (EXECUTORS + 1)];
  const role = executor === 0 ? "driver" : "executor";
  const name = executor === 0 ? `application-${owner}-driver` : executorName(owner, executor);
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      ...{ name, namespace: NAMESPACE, ...identity(`p${index}`) },
      labels: {
        "sparkoperator.k8s.io/app-name": `application-${owner}`,
        "sparkoperator.k8s.io/launched-by-spark-operator": "true",
        "sparkoperator.k8s.io/submission-id": SUBMISSION,
        "spark-app-selector": `spark-${owner}`,
        "spark-role": role,
        ...(executor > 0 && { "spark-exec-id": String(executor) }),
      },
      ownerReferences: [
        executor === 0
          ? {
              apiVersion: "sparkoperator.k8s.io/v1beta2",
              kind: "SparkApplication",
              name: `application-${owner}`,
              uid: identity(`a${owner}`).uid,
            }
          : {
              apiVersion: "v1",
              kind: "Pod",
              name: `application-${owner}-driver`,
              uid: identity(`p${owner * (EXECUTORS + 1)}`).uid,
            },
      ],
    },
    // As large as pods of Spark are in practice.
    spec: { containers: [{ name: "spark", image: "apache/spark:4.0.4", env: variables() }] },
    status: { phase: "Running", containerStatuses: [{ name: `spark-kubernetes-${role}`, state: { running: {} } }] },
  };
}

/**
 * @param {number} application
 * @param {number} executor
 */
function executorName(application, executor) {
  return `application-${application}-0123456789abcdef-exec-${executor}`;
}

/** @param {string} key */
function identity(key) {
  return {
    uid: `00000000-0000-4000-8000-${Buffer.from(key).toString("hex").padStart(12, "0")}`,
    resourceVersion: "900",
    creationTimestamp: "2026-01-01T00:00:00Z",
  };
}

function variables() {
  return Array.from({ length: 20 }, (_, index) => ({
    name: `SPARK_VARIABLE_${index}`,
    value: "a value as long as they are",
  }));
}

const server = createServer((request, response) => {
  const url = new URL(request.url ?? "/", "http://localhost");
  const kind = KINDS[url.pathname.split("/").at(-1) ?? ""];
  if (kind === undefined || request.method !== "GET") {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { "content-type": "application/json" });
  if (url.searchParams.get("watch") === "true") {
    response.flushHeaders();
    return;
  }
  const from = Number(url.searchParams.get("continue") ?? 0);
  const to = Math.min(kind.count, from + Number(url.searchParams.get("limit") ?? 500));
  const items = Array.from({ length: to - from }, (_, index) => kind.at(from + index));
  const metadata = { resourceVersion: VERSION, ...(to < kind.count && { continue: String(to) }) };
  response.end(JSON.stringify({ apiVersion: kind.apiVersion, kind: `${kind.kind}List`, metadata, items }));
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`${portOf(server)}\n`));
