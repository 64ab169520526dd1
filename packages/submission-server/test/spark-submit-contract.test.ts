import { TestCluster } from "@kindling/test-cluster/test-cluster";
import type { Pod } from "kubernetes-types/core/v1.js";
import { expect, test } from "vitest";
import { startTestServer } from "./support/test-server.ts";

const PATH = "/api/v1/spark-submit";
const ID = "550e8400-e29b-41d4-a716-446655440000";

/** As the operator writes them for one of its examples. */
function args(podName = "spark-pi-driver", ...more: readonly string[]): readonly string[] {
  return [
    ...["--master", "k8s://https://10.96.0.1:443", "--deploy-mode", "cluster"],
    ...["--class", "org.apache.spark.examples.SparkPi", "--name", "spark-pi"],
    ...["--conf", "spark.kubernetes.namespace=spark-jobs"],
    ...["--conf", "spark.kubernetes.container.image=docker.io/library/spark:4.0.0"],
    ...["--conf", "spark.kubernetes.submission.waitAppCompletion=false"],
    ...["--conf", `spark.kubernetes.driver.pod.name=${podName}`],
    ...["--conf", "spark.kubernetes.driver.label.sparkoperator.k8s.io/app-name=spark-pi"],
    ...["--conf", `spark.kubernetes.driver.label.sparkoperator.k8s.io/submission-id=${ID}`],
    ...["--conf", "spark.driver.cores=1", "--conf", "spark.executor.instances=1"],
    ...more,
    ...["local:///opt/spark/examples/jars/spark-examples.jar", "5000"],
  ];
}

const template = {
  metadata: { creationTimestamp: null, labels: { version: "4.0.0" }, ownerReferences: [] },
  spec: { containers: [{ name: "spark-kubernetes-driver", resources: {} }], serviceAccountName: "spark" },
};

test("a submission is created, and the same again is a duplicate", async () => {
  const cluster = await TestCluster.start();
  const server = await startTestServer(cluster);
  const body = { submission_id: ID, spark_submit_args: args(), driver_pod_template: template };
  const first = await server.ask("POST", PATH, body);
  expect(first.status, first.text).toBe(201);
  const [pod] = await cluster.objects<Pod>("Pod");
  expect(first.body).toEqual({
    submission_id: ID,
    app_name: "spark-pi",
    message: "the driver pod was created",
    submitted_at: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    spark_app_id: pod?.metadata?.labels?.["spark-app-selector"],
    driver_pod_name: "spark-pi-driver",
    driver_pod_uid: pod?.metadata?.uid,
    namespace: "spark-jobs",
    duplicate_submission: false,
  });
  expect(pod?.metadata?.labels).toMatchObject({ version: "4.0.0", "sparkoperator.k8s.io/submission-id": ID });
  expect(pod?.spec?.containers).toHaveLength(1);
  const again = await server.ask("POST", PATH, body);
  expect(again.status).toBe(200);
  expect(again.body).toMatchObject({ duplicate_submission: true, driver_pod_uid: pod?.metadata?.uid });
  const services = await cluster.objects("Service");
  expect(services.map(({ metadata }) => metadata.name)).toEqual([
    expect.stringMatching(/^spark-pi-[0-9a-f]+-driver-svc$/),
  ]);
});

test("another submission of the same driver pod's name is a conflict", async () => {
  const cluster = await TestCluster.start();
  const server = await startTestServer(cluster);
  await server.ask("POST", PATH, { submission_id: ID, spark_submit_args: args() });
  const { status, body } = await server.ask("POST", PATH, { submission_id: "other", spark_submit_args: args() });
  expect({ status, body }).toMatchObject({
    status: 409,
    body: { submission_id: "other", status: 409, error_code: "DRIVER_POD_ALREADY_EXISTS" },
  });
  expect(Object.keys(body).toSorted()).toEqual(["error_code", "message", "status", "submission_id", "timestamp"]);
});

test.each<[string, unknown, number, string]>([
  ["no JSON", "{", 400, "BAD_REQUEST"],
  ["a missing field", { spark_submit_args: args() }, 400, "BAD_REQUEST"],
  ["no arguments", { submission_id: ID }, 400, "BAD_REQUEST"],
  [
    "an unknown flag",
    { submission_id: ID, spark_submit_args: ["--nonsense", "a.jar"] },
    400,
    "INVALID_SPARK_SUBMIT_ARGS",
  ],
  [
    "a file of the service's disk",
    { submission_id: ID, spark_submit_args: ["/etc/passwd"] },
    400,
    "INVALID_SPARK_SUBMIT_ARGS",
  ],
  [
    "a namespace that there is not",
    { submission_id: ID, spark_submit_args: args("p", "--conf", "spark.kubernetes.namespace=nowhere") },
    400,
    "BAD_REQUEST",
  ],
  [
    "a template that is no pod",
    { submission_id: ID, spark_submit_args: args(), driver_pod_template: { spec: { containers: "none" } } },
    422,
    "INVALID_POD_TEMPLATE",
  ],
  [
    "a template that the API server refuses",
    {
      submission_id: ID,
      spark_submit_args: args(),
      driver_pod_template: { spec: { containers: [{ name: "Not A Name" }] } },
    },
    422,
    "INVALID_POD_TEMPLATE",
  ],
])("%s has its status and its code", async (_, body, status, code) => {
  const cluster = await TestCluster.start();
  const server = await startTestServer(cluster);
  const answer = await server.ask("POST", PATH, body);
  expect({ status: answer.status, code: answer.body["error_code"] }, answer.text).toEqual({ status, code });
  expect(answer.body["status"]).toBe(status);
  expect(String(answer.body["message"])).not.toBe("");
  expect(await cluster.objects("Pod")).toEqual([]);
});

test("another method and another type have their own codes; any answer says that the service is there", async () => {
  const cluster = await TestCluster.start();
  const server = await startTestServer(cluster);
  const get = await server.ask("GET", PATH);
  expect({ status: get.status, code: get.body["error_code"] }).toEqual({ status: 405, code: "METHOD_NOT_ALLOWED" });
  expect(get.headers.get("allow")).toBe("POST");
  const text = await server.ask("POST", PATH, "{}", { "content-type": "text/plain" });
  expect({ status: text.status, code: text.body["error_code"] }).toEqual({
    status: 415,
    code: "UNSUPPORTED_MEDIA_TYPE",
  });
});

test("where the API server is away, the operator is to try again", async () => {
  const cluster = await TestCluster.start();
  const server = await startTestServer(cluster);
  await cluster.devCluster.stop();
  const { status, body, text } = await server.ask("POST", PATH, { submission_id: ID, spark_submit_args: args() });
  expect({ status, code: body["error_code"] }).toEqual({ status: 500, code: "INTERNAL_SERVER_ERROR" });
  expect(text).not.toContain("127.0.0.1");
});
