import { describe, expect, test } from "vitest";
import { kindling, kubeconfigFor } from "../fixtures/kindling-process.ts";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import type { SeenRequest } from "@kindling/test-kit/api-recorder";
import { APP, conf, flagsFor } from "../fixtures/submission.ts";

const TOKEN = "tok-8Hq2vLs9";
const SECRET = "hunter2-Xq7";

/** A server that refuses, and repeats the whole request in its answer. */
function echoing(cluster: TestCluster, methods: RegExp): void {
  cluster.api.fault = ({ method, path, headers, body }: SeenRequest) => {
    if (!methods.test(method)) return undefined;
    const message = `${method} ${path} ${JSON.stringify(headers)} ${encodeURIComponent(TOKEN)} ${JSON.stringify(body)}`;
    const causes = [{ field: "spec", message }];
    return { kind: "status", status: 422, reason: "Invalid", message: message.slice(-900), details: { causes } };
  };
}

const SETTINGS = conf({
  "spark.kubernetes.driverEnv.DB_PASSWORD": SECRET,
  "spark.kubernetes.driver.annotation.api-token": SECRET,
});

describe("a server that repeats the request shows no secret of it", () => {
  test("through a submission's errors, whichever credentials it has", async () => {
    for (const user of [{ token: TOKEN }, { username: "me", password: TOKEN }]) {
      const cluster = await TestCluster.start({ token: TOKEN });
      echoing(cluster, /POST|PATCH/);
      const env = { KUBECONFIG: kubeconfigFor(cluster, user) };
      const image = conf({ "spark.kubernetes.container.image": "apache/spark:4.3.0" });
      const submit = ["submit", "--verbose", "--deploy-mode", "cluster", "--master", `k8s://${cluster.url}`];
      const { code, stdout, stderr } = await kindling([...submit, ...image, ...SETTINGS, ...APP], { env });
      expect(code).toBe(1);
      expect(stderr).toMatch(/^error: /m);
      expect([TOKEN, SECRET].filter((secret) => (stdout + stderr).includes(secret))).toEqual([]);
    }
  });

  test.each([["list"], ["status"], ["kill"], ["logs"]])("through kindling %s", async (command) => {
    const cluster = await TestCluster.start();
    echoing(cluster, /./);
    const env = { KUBECONFIG: kubeconfigFor(cluster, { token: TOKEN }) };
    const operands = command === "list" ? [] : ["spark-jobs:etl"];
    const { stdout, stderr } = await kindling([command, "--verbose", ...operands], { env });
    expect(stderr).toMatch(/^error: /m);
    expect(stdout + stderr).not.toContain(TOKEN);
    expect(cluster.api.requests[0]?.headers.authorization).toBe(`Bearer ${TOKEN}`);
  });

  test("through the state of a pod", async () => {
    const cluster = await TestCluster.start();
    const submitting = kindling(["submit", ...flagsFor(cluster), ...SETTINGS, "-o", "json", ...APP]);
    const { metadata: { namespace = "", name = "" } = {} } = await cluster.inPhase(await cluster.driver(), "Running");
    cluster.devCluster.podFaults.evict({ namespace, name }, `exec failed: DB_PASSWORD=${SECRET}`);
    const { stdout, stderr } = await submitting;
    expect(stdout).toContain("Failed");
    expect(stdout + stderr).not.toContain(SECRET);
  });
});
