import { createKubeClient, loadClusterAccess } from "@kindling/kube";
import { kubeconfigFor } from "@kindling/test-kit/kubeconfig-file";
import type { SeenRequest } from "@kindling/test-kit/api-recorder";
import { expect, onTestFinished, test } from "vitest";
import { OperatedCluster } from "../support/operated-cluster.ts";

const TOKEN = "the-token-of-the-operators-own-account";

/** Everything in a request except its credentials. */
function contentOf({ method, path, query, body }: SeenRequest): string {
  return JSON.stringify([method, path, query.toString(), body]);
}

test("C28: the operator's own token goes to the API server as a proof, and nowhere else", async () => {
  const operated = await OperatedCluster.start({ token: TOKEN });
  const { cluster } = operated;
  const access = await loadClusterAccess({ env: {}, kubeconfigPath: kubeconfigFor(cluster, { token: TOKEN }) });
  const client = createKubeClient(access, { userAgent: "kindling-operator" });
  onTestFinished(() => client.close());
  const { lines } = await operated.operate({}, client);
  // An API server whose error repeats the credentials that it got.
  let echoes = 1;
  cluster.api.fault = ({ method, path, headers }) => {
    if (echoes === 0 || method !== "POST" || !path.endsWith("/pods")) return undefined;
    echoes -= 1;
    return { kind: "status", status: 403, reason: "Forbidden", message: `not with ${headers.authorization}` };
  };
  await operated.create("echoed");
  const refused = await operated.inState("echoed", "FAILED");
  expect(refused.status?.applicationState.errorMessage).toContain("failed to run spark-submit");
  await operated.create("pi");
  const running = await operated.inState("pi", "RUNNING");

  const own = cluster.api.requests.filter(({ headers }) => headers.authorization === `Bearer ${TOKEN}`);
  expect(own.length).toBeGreaterThan(0);
  for (const request of cluster.api.requests) expect(contentOf(request)).not.toContain(TOKEN);
  const objects = await Promise.all(
    (["Pod", "ConfigMap", "Secret", "Service"] as const).map((kind) => cluster.objects(kind)),
  );
  const events = await cluster.send("GET", "/api/v1/namespaces/spark-jobs/events");
  for (const shown of [objects, events, refused, running, lines]) expect(JSON.stringify(shown)).not.toContain(TOKEN);
});

test("what a pod template says of a namespace makes nothing there", async () => {
  const operated = await OperatedCluster.start();
  await operated.operate();
  const template = { metadata: { namespace: "elsewhere" }, spec: {} };
  await operated.create("pi", { driver: { serviceAccount: "spark", template }, executor: { template } });
  await operated.inState("pi", "RUNNING");
  const objects = await Promise.all(
    (["Pod", "ConfigMap", "Service"] as const).map((kind) => operated.cluster.objects(kind)),
  );
  expect(new Set(objects.flat().map(({ metadata }) => metadata.namespace))).toEqual(new Set(["spark-jobs"]));
});
