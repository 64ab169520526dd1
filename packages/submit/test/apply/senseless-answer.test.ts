import { describe, expect, test } from "vitest";
import type { KindlingError } from "@kindling/core-spec";
import type { Pod } from "kubernetes-types/core/v1.js";
import { caught } from "@kindling/test-kit/caught";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import type { Fault } from "@kindling/test-kit/api-recorder";
import { impatientClient, submitTo, VOLCANO } from "../fixtures/submission.ts";

/** What a proxy, or a faulty server, may answer with 200 after the API server carried a request out. */
const SENSELESS: [string, Fault][] = [
  ["a page", { kind: "answer", text: "<html>signed in</html>" }],
  ["nothing", { kind: "answer", text: "" }],
  ["half of the object", { kind: "answer", text: '{"kind":"Pod","metadata":{"na' }],
  ["an object that is cut", { kind: "answer", text: '{"kind":"Pod","metadata":{"na', cut: true }],
  ["another object", { kind: "answer", text: '{"kind":"Pod","metadata":{"name":"other","uid":"1"}}' }],
  ["an object without a name", { kind: "answer", text: "{}" }],
  ["null", { kind: "answer", text: "null" }],
];

describe.each(SENSELESS)("a create that is answered with %s", (_, fault) => {
  test("is looked up, and the pod that it made is the application's", async () => {
    const cluster = await TestCluster.start();
    cluster.api.fault = ({ method }) => (method === "POST" ? fault : undefined);
    const { application, existed } = await submitTo(cluster, { client: await impatientClient(cluster) });
    const [pod, ...others] = await cluster.objects<Pod>("Pod");
    expect(others).toEqual([]);
    expect({ name: application.driverPod, existed }).toEqual({ name: pod?.metadata?.name, existed: false });
    expect(await cluster.contents()).toHaveLength(4);
  });

  test("is named with the command that removes the pod where no other answer makes sense either", async () => {
    const cluster = await TestCluster.start();
    cluster.api.fault = ({ path }) => (path.includes("/pods") ? fault : undefined);
    const error = await caught(submitTo(cluster, { client: await impatientClient(cluster) }));
    const [pod] = await cluster.objects<Pod>("Pod");
    expect(error.hint).toContain(`kubectl -n spark-jobs delete pod ${pod?.metadata?.name}`);
  });

  test("of what precedes the pod takes that away again", async () => {
    const cluster = await TestCluster.start();
    let answered = 0;
    cluster.api.fault = ({ body }) =>
      (body as { kind?: string } | undefined)?.kind === "PodGroup" && answered++ === 0 ? fault : undefined;
    const submitting = submitTo(cluster, { conf: VOLCANO, client: await impatientClient(cluster) });
    const error: KindlingError | undefined = await submitting.then(
      () => undefined,
      (failure: unknown) => failure as KindlingError,
    );
    expect(await cluster.contents()).toHaveLength(error === undefined ? 5 : 0);
  });
});

test("a delete that somebody else answers takes nothing away, and the command that does is named", async () => {
  const cluster = await TestCluster.start();
  cluster.api.fault = ({ method, body }) => {
    if (method === "DELETE") return { kind: "status", status: 404 };
    return (body as { kind?: string } | undefined)?.kind === "Service"
      ? { kind: "status", status: 403, reason: "Forbidden", message: "no" }
      : undefined;
  };
  const error: KindlingError = await caught(submitTo(cluster, { client: await impatientClient(cluster) }));
  const [pod] = await cluster.objects<Pod>("Pod");
  expect(error.hint).toContain(`kubectl -n spark-jobs delete pod ${pod?.metadata?.name}`);
});
