import type { KindlingError } from "@kindling/core-spec";
import type { ConfigMap, Pod } from "kubernetes-types/core/v1.js";
import { describe, expect, test } from "vitest";
import { caught } from "@kindling/test-kit/caught";
import { startKindling } from "../fixtures/kindling-process.ts";
import { StubCluster, type Fault, type SeenRequest } from "@kindling/test-kit/stub-cluster";
import { APP, conf, flagsFor, impatientClient, submitTo, type SubmitCall } from "../fixtures/submission.ts";

const CALL: SubmitCall = { submissionId: "nightly" };

const VOLCANO = conf({
  "spark.kubernetes.driver.pod.featureSteps": "org.apache.spark.deploy.k8s.features.VolcanoFeatureStep",
});

const isConfigMap = ({ path }: SeenRequest): boolean => path.includes("/configmaps");

/** The ConfigMap is immutable, and differs in its times from call to call. */
const refused: Fault = { kind: "status", status: 422 };

test("whether the application is there already is one GET of its pod, and no list", async () => {
  const cluster = await StubCluster.start();
  const first = await submitTo(cluster, CALL);
  const made = cluster.requests.length;
  const second = await submitTo(cluster, CALL);
  const path = `/api/v1/namespaces/spark-jobs/pods/${first.application.driverPod}`;
  for (const request of [cluster.requests[0], cluster.requests[made]])
    expect(request).toMatchObject({ method: "GET", path });
  expect(cluster.requests.filter(({ method, path: all }) => method === "GET" && all.endsWith("/pods"))).toEqual([]);
  expect(second).toEqual({ ...first, existed: true });
  expect(first.application.driverPodUid).toBe(cluster.objects<Pod>("Pod")[0]?.metadata?.uid);
});

test("the pod of another application under that name is a conflict, and stays", async () => {
  const cluster = await StubCluster.start();
  const named = conf({ "spark.kubernetes.driver.pod.name": "etl-driver" });
  await submitTo(cluster, { submissionId: "one", flags: named });
  const error = await caught(submitTo(cluster, { submissionId: "other", flags: named }));
  expect(error).toMatchObject({ code: "OBJECT_CONFLICT" });
  expect(cluster.objects("Pod")).toHaveLength(1);
});

test("an object that a call with the same id makes meanwhile is as good as one's own", async () => {
  const cluster = await StubCluster.start();
  const { application } = await submitTo(cluster, CALL);
  let looked = false;
  cluster.fault = (request) => {
    if (!isConfigMap(request)) return undefined;
    if (request.method === "PATCH") return refused;
    if (looked) return undefined;
    looked = true;
    return { kind: "status", status: 404 };
  };
  const second = await submitTo(cluster, CALL);
  expect(second).toMatchObject({ existed: true, application: { submissionId: application.submissionId } });
});

test("the one that made the pod keeps it when another has made the rest", async () => {
  const [elsewhere, cluster] = await Promise.all([StubCluster.start(), StubCluster.start()]);
  await submitTo(elsewhere, CALL);
  const [configMap] = elsewhere.objects<ConfigMap>("ConfigMap");
  cluster.onPod = ({ metadata: { name = "", uid = "" } = {} }) => {
    const ownerReferences = [{ apiVersion: "v1", kind: "Pod", name, uid, controller: true }];
    cluster.put({ ...configMap, metadata: { ...configMap?.metadata, ownerReferences } });
  };
  cluster.fault = (request) => (isConfigMap(request) && request.method === "PATCH" ? refused : undefined);
  const { existed } = await submitTo(cluster, CALL);
  expect(existed).toBe(false);
  expect(cluster.objects("Pod")).toHaveLength(1);
});

test("a refusal of what nobody else has made is one, and names what stays", async () => {
  const cluster = await StubCluster.start();
  cluster.fault = (request) => (isConfigMap(request) && request.method === "PATCH" ? refused : undefined);
  const error: KindlingError = await caught(submitTo(cluster, { ...CALL, client: await impatientClient(cluster) }));
  expect(error.code).toBe("OBJECT_INVALID");
  const [pod] = cluster.objects<Pod>("Pod");
  expect(error.hint).toContain(
    `submit again to complete it, or remove it: kubectl -n spark-jobs delete pod ${pod?.metadata?.name}`,
  );
});

describe("what another call may have adopted stays", () => {
  test.each([
    ["at what precedes the pod", "PodGroup"],
    ["behind the pod", "Service"],
    ["at the end", "ConfigMap"],
  ])("where the first is interrupted %s while a second succeeds", async (_, kind) => {
    const cluster = await StubCluster.start();
    const abort = new AbortController();
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    let isHeld = false;
    cluster.fault = ({ method, body }) => {
      if (isHeld || method === "GET" || (body as { kind?: string }).kind !== kind) return undefined;
      isHeld = true;
      return { kind: "wait", until: held };
    };
    const first = caught(submitTo(cluster, { ...CALL, flags: VOLCANO, signal: abort.signal }));
    await expect.poll(() => isHeld).toBe(true);
    const second = await submitTo(cluster, { ...CALL, flags: VOLCANO });
    abort.abort();
    release();
    const error = await first;
    expect(error.code).toBe("INTERRUPTED");
    expect(error.hint).toMatch(/^what was made stays, since another call .* kubectl -n spark-jobs delete /);
    expect(cluster.contents).toContain(`Pod/${second.application.driverPod}`);
    expect(cluster.contents).toHaveLength(5);
    expect(cluster.writes.map(({ method }) => method)).not.toContain("DELETE");
  });

  test("and who interrupts the command reads what that is", async () => {
    const cluster = await StubCluster.start();
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    cluster.fault = ({ body }) =>
      (body as { kind?: string } | undefined)?.kind === "Service" ? { kind: "wait", until: held } : undefined;
    const process = startKindling(["submit", ...flagsFor(cluster), "--submission-id", "nightly", ...APP]);
    await expect.poll(() => cluster.objects("Pod").length, { timeout: 30_000 }).toBe(1);
    process.child.kill("SIGINT");
    setTimeout(release, 100);
    const { code, stderr } = await process.ended;
    const [pod] = cluster.objects<Pod>("Pod");
    expect(code).toBe(130);
    expect(stderr).toContain(`kubectl -n spark-jobs delete pod ${pod?.metadata?.name}`);
    expect(cluster.contents).toHaveLength(4);
  });
});
