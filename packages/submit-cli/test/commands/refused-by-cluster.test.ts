import { describe, expect, test } from "vitest";
import { testAuthority } from "@kindling/test-kit/certificates";
import { kindling } from "../fixtures/kindling-process.ts";
import { refusal, said } from "../fixtures/refusal.ts";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import type { Fault } from "@kindling/test-kit/api-recorder";
import { APP, conf, flagsFor } from "../fixtures/submission.ts";

describe("kindling submit tells what the API server refused", () => {
  test.each<[number, Partial<Fault & { kind: "status" }>, RegExp, RegExp]>([
    [
      401,
      { reason: "Unauthorized", message: "Unauthorized" },
      /does not accept the credentials/,
      /kubectl auth whoami/,
    ],
    [
      403,
      {
        reason: "Forbidden",
        message:
          'pods is forbidden: User "jane" cannot create resource "pods" in API group "" in the namespace "spark-jobs"',
      },
      /pods is forbidden/,
      /kindling rbac submitter -n spark-jobs --user=jane \| kubectl apply -f -/,
    ],
    [
      404,
      { reason: "NotFound", message: 'namespaces "spark-jobs" not found' },
      /namespaces "spark-jobs" not found/,
      /kubectl create namespace spark-jobs/,
    ],
    [
      409,
      { reason: "AlreadyExists", message: 'pods "x" already exists' },
      /pods "x" already exists/,
      /spark\.kubernetes\.driver\.pod\.name/,
    ],
    [
      422,
      {
        reason: "Invalid",
        message: "Pod is invalid",
        details: {
          causes: [
            { field: "spec.a", message: "no" },
            { field: "spec.b", message: "nor this" },
          ],
        },
      },
      /Pod is invalid/,
      /spec\.a: no; spec\.b: nor this/,
    ],
  ])("with %i", async (status, fault, message, hint) => {
    const cluster = await TestCluster.start();
    cluster.api.fault = () => ({ kind: "status", status, ...fault });
    const finished = await kindling(["submit", ...flagsFor(cluster), ...APP]);
    expect(said(finished)).toEqual(refusal(message));
    expect(finished.stderr).toMatch(new RegExp(`^hint: .*${hint.source}`, "m"));
    expect(await cluster.contents()).toEqual([]);
  });

  test("nobody listening", async () => {
    expect(said(await kindling(["submit", ...flagsFor({ url: "http://127.0.0.1:1" }), ...APP]))).toEqual(
      refusal(/cannot reach http:\/\/127\.0\.0\.1:1: connection refused/),
    );
  });

  test("a certificate of an unknown authority, and one that has expired", async () => {
    const authority = testAuthority("the cluster's");
    const unknown = await TestCluster.start({ tls: authority.issue("server") });
    expect(said(await kindling(["submit", ...flagsFor(unknown), ...APP]))).toEqual(
      refusal(/signed by an unknown authority/),
    );
    const expired = await TestCluster.start({ tls: authority.issue("server", { expired: true }) });
    const ca = scratchFolder().write("ca.crt", authority.cert);
    const flags = conf({ "spark.kubernetes.authenticate.submission.caCertFile": ca });
    expect(said(await kindling(["submit", ...flagsFor(expired), ...flags, ...APP]))).toEqual(
      refusal(/the server's certificate has expired/),
    );
  });

  test("no cluster at all", async () => {
    const image = conf({ "spark.kubernetes.container.image": "x" });
    const KUBECONFIG = `${scratchFolder().path}/none`;
    const finished = await kindling(["submit", ...image, ...APP], { env: { KUBECONFIG } });
    expect(said(finished)).toEqual(refusal(new RegExp(`no cluster is known: no kubeconfig at ${KUBECONFIG}`)));
  });
});

describe("where an error came from", () => {
  const bad = ["submit", ...flagsFor({ url: "http://127.0.0.1:1" })];

  test.each([["--verbose"], ["-v"]])("is told with %s", async (flag) => {
    const { code, stderr } = await kindling([...bad, flag, ...APP]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: .*\nhint: .*\ncaused by: connect ECONNREFUSED 127\.0\.0\.1:1\n$/m);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  test("is not told without it, also where the application has an argument of that name", async () => {
    expect(said(await kindling([...bad, ...APP, "-v", "--verbose"]))).toEqual(refusal(/cannot reach/));
  });
});
