import type { KindlingError } from "@kindling/core-spec";
import type { Pod } from "kubernetes-types/core/v1.js";
import { describe, expect, test } from "vitest";
import { caught } from "@kindling/test-kit/caught";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import type { Fault, SeenRequest } from "@kindling/test-kit/api-recorder";
import { APP, impatientClient, submitTo, VOLCANO, type SubmitCall } from "../fixtures/submission.ts";

const CALL: SubmitCall = { submissionId: "nightly" };

const isConfigMap = ({ path }: SeenRequest): boolean => path.includes("/configmaps");

/** The ConfigMap is immutable, and differs in its times from call to call. */
const refused: Fault = { kind: "status", status: 422 };

test("whether the application is there already is one GET of its pod, and no list", async () => {
  const cluster = await TestCluster.start();
  const first = await submitTo(cluster, CALL);
  const made = cluster.api.requests.length;
  const second = await submitTo(cluster, CALL);
  const path = `/api/v1/namespaces/spark-jobs/pods/${first.application.driverPod}`;
  const looks = (requests: typeof cluster.api.requests): string[] =>
    requests.filter(({ method }) => method === "GET").map((request) => request.path);
  for (const requests of [cluster.api.requests.slice(0, made), cluster.api.requests.slice(made)])
    expect(looks(requests).find((one) => !/\/(?:configmaps\/kindling|namespaces\/spark-jobs)$/.test(one))).toBe(path);
  expect(cluster.api.requests.filter(({ method, path: all }) => method === "GET" && all.endsWith("/pods"))).toEqual([]);
  expect(second).toEqual({ ...first, existed: true });
  expect(first.application.driverPodUid).toBe((await cluster.objects<Pod>("Pod"))[0]?.metadata?.uid);
});

/** The notices of a submission that also uploads files. */
async function noticesOf(cluster: TestCluster, call: SubmitCall): Promise<string[]> {
  const notices: string[] = [];
  await submitTo(cluster, {
    ...CALL,
    ...call,
    onEvent: (event) => event.type === "notice" && notices.push(event.message),
  });
  return notices;
}

describe("a call with the id of an application that is there", () => {
  const first: SubmitCall = {
    conf: { "spark.executor.memory": "2g", "spark.my.password": "first" },
    application: { ...APP, arguments: ["2026-11-22"] },
  };

  test("says nothing where it asks for the same", async () => {
    const cluster = await TestCluster.start();
    expect(await noticesOf(cluster, first)).toEqual([]);
    expect(await noticesOf(cluster, first)).toEqual([]);
  });

  test("says in what that one differs, without secrets", async () => {
    const cluster = await TestCluster.start();
    await noticesOf(cluster, first);
    const notices = await noticesOf(cluster, {
      conf: {
        "spark.executor.memory": "4g",
        "spark.executor.cores": "3",
        "spark.my.password": "second",
        "spark.kubernetes.container.image": "apache/spark:4.3.0-r",
      },
      application: { ...APP, arguments: ["2026-11-23"] },
    });
    expect(notices).toEqual([
      "the application of this submission id was submitted with other arguments:",
      "spark.executor.cores is not set there, and would be 3",
      "spark.executor.memory is 2g there, and would be 4g",
      "spark.kubernetes.container.image is apache/spark:4.3.0 there, and would be apache/spark:4.3.0-r",
      "spark.my.password differs",
      "the image is apache/spark:4.3.0 there, and would be apache/spark:4.3.0-r",
      "the application or its arguments differ",
      expect.stringMatching(/^to submit this one, .* kindling kill spark-jobs:nightly-\w+-driver$/),
    ]);
  });
});

test("the pod of another application under that name is a conflict, and stays", async () => {
  const cluster = await TestCluster.start();
  const named = { "spark.kubernetes.driver.pod.name": "etl-driver" };
  await submitTo(cluster, { submissionId: "one", conf: named });
  const error = await caught(submitTo(cluster, { submissionId: "other", conf: named }));
  expect(error).toMatchObject({ code: "OBJECT_CONFLICT" });
  expect(await cluster.objects("Pod")).toHaveLength(1);
});

test("an object that a call with the same id makes meanwhile is as good as one's own", async () => {
  const cluster = await TestCluster.start();
  const { application } = await submitTo(cluster, CALL);
  let looked = false;
  cluster.api.fault = (request) => {
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
  const cluster = await TestCluster.start();
  // Another call creates the ConfigMap after this one's pod, but before this one's ConfigMap.
  let other: Promise<unknown> | undefined;
  cluster.api.fault = (request) => {
    if (!isConfigMap(request) || request.method !== "PATCH" || other !== undefined) return undefined;
    other = submitTo(cluster, CALL);
    return { kind: "wait", until: other.then(() => undefined) };
  };
  const { existed } = await submitTo(cluster, CALL);
  expect(await other).toMatchObject({ existed: true });
  expect(await cluster.objects("ConfigMap")).toHaveLength(1);
  expect(existed).toBe(false);
  expect(await cluster.objects("Pod")).toHaveLength(1);
});

test("a refusal of what nobody else has made is one, and names what stays", async () => {
  const cluster = await TestCluster.start();
  cluster.api.fault = (request) => (isConfigMap(request) && request.method === "PATCH" ? refused : undefined);
  const error: KindlingError = await caught(submitTo(cluster, { ...CALL, client: await impatientClient(cluster) }));
  expect(error.code).toBe("OBJECT_INVALID");
  const [pod] = await cluster.objects<Pod>("Pod");
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
    const cluster = await TestCluster.start({ podGroups: true });
    const abort = new AbortController();
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    let isHeld = false;
    cluster.api.fault = ({ method, body }) => {
      if (isHeld || method === "GET" || (body as { kind?: string }).kind !== kind) return undefined;
      isHeld = true;
      return { kind: "wait", until: held };
    };
    const first = caught(submitTo(cluster, { ...CALL, conf: VOLCANO, signal: abort.signal }));
    await expect.poll(() => isHeld).toBe(true);
    const second = await submitTo(cluster, { ...CALL, conf: VOLCANO });
    abort.abort();
    release();
    const error = await first;
    expect(error.code).toBe("INTERRUPTED");
    expect(error.hint).toMatch(/^what was made stays, since another call .* kubectl -n spark-jobs delete /);
    expect(await cluster.contents()).toContain(`Pod/${second.application.driverPod}`);
    expect(await cluster.contents()).toHaveLength(5);
    expect(cluster.api.writes.map(({ method }) => method)).not.toContain("DELETE");
  });
});
