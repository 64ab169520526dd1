import { aPod } from "@kindling/test-kit/a-pod";
import { eventually } from "@kindling/test-kit/eventually";
import { sendJson, startStub } from "@kindling/test-kit/stub-server";
import { expect, test } from "vitest";
import { OperatedCluster } from "../support/operated-cluster.ts";

test("what a gateway has promised to a driver is pending, until its pod says more", async () => {
  const operated = await OperatedCluster.start();
  operated.cluster.hold();
  const applications: object[] = [];
  const gateway = await startStub((_request, response) =>
    sendJson(response, { apiVersion: "gateway.kindling/v1", kind: "Overview", applications }),
  );
  await operated.cluster.send("POST", "/api/v1/namespaces/spark-jobs/configmaps", {
    metadata: { name: "kindling", labels: { "app.kubernetes.io/part-of": "kindling" } },
    data: {
      "kindling.properties":
        "spark.kindling.scheduler=gateway\nspark.kindling.scheduler.uri=https://kindling-gateway.kindling.svc:8443\nspark.kindling.scheduler.caMap=ca\n",
    },
  });
  await operated.operate({ gateway: { kind: "uri", uri: new URL(gateway.url) } });
  await operated.create("pi");
  const { status } = await operated.inState("pi", "SUBMITTED");
  const virtualExecutors = ["pi-exec-1", "pi-exec-2", "pi-exec-1001"];
  applications.push({
    namespace: "spark-jobs",
    driver: { pod: "pi-driver" },
    virtualExecutors,
  });
  const states = async () => (await operated.application("pi")).status?.executorState;
  await eventually(async () => expect(await states()).toEqual({ "pi-exec-1": "PENDING", "pi-exec-2": "PENDING" }));
  expect(gateway.requests.every(({ url }) => url === "/api/overview")).toBe(true);

  operated.cluster.release();
  const executor = aPod("pi-exec-1")
    .executor(1, "spark-pi")
    .labels({
      "sparkoperator.k8s.io/app-name": "pi",
      "sparkoperator.k8s.io/launched-by-spark-operator": "true",
      "sparkoperator.k8s.io/submission-id": status?.submissionID ?? "",
    });
  await operated.cluster.send("POST", "/api/v1/namespaces/spark-jobs/pods", executor.build());
  await eventually(async () => expect(await states()).toEqual({ "pi-exec-1": "RUNNING", "pi-exec-2": "PENDING" }));
});
