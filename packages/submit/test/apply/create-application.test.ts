import type { KindlingError } from "@kindling/core-spec";
import type { Pod } from "kubernetes-types/core/v1.js";
import { describe, expect, test } from "vitest";
import { caught } from "@kindling/test-kit/caught";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import type { Fault, SeenRequest } from "@kindling/test-kit/api-recorder";
import { impatientClient, submitTo, VOLCANO, type SubmitCall } from "../fixtures/submission.ts";

const KINDS = ["ConfigMap", "NetworkPolicy", "Pod", "Service"];

async function kindsIn(cluster: TestCluster): Promise<string[]> {
  return (await cluster.contents()).map((name) => name.split("/")[0] ?? "");
}

/** The created objects are deleted, and garbage collected, some time after the request. */
async function expectNothingLeft(cluster: TestCluster): Promise<void> {
  await expect.poll(() => cluster.contents()).toEqual([]);
}

function shown({ method, body, path }: SeenRequest): string {
  const kind = typeof body === "object" && body !== null && "kind" in body ? String(body.kind) : "";
  return `${method} ${method === "DELETE" ? (path.split("/").at(-2) ?? "") : kind}`;
}

/** Submits with a client that repeats requests without waiting, and expects a failure. */
async function failing(cluster: TestCluster, call: SubmitCall = {}): Promise<KindlingError> {
  return caught(submitTo(cluster, { ...call, client: await impatientClient(cluster) }));
}

/** The pod of a client with `--submission-id` that died after creating it: nothing else of its application exists. */
async function diedAfterPod(call: SubmitCall, podGroups = false): Promise<TestCluster> {
  const cluster = await TestCluster.start({ podGroups });
  cluster.hold();
  let podIsAsked = false;
  cluster.api.fault = ({ method }) => {
    if (podIsAsked) return { kind: "reset", carriedOut: false };
    podIsAsked = method === "POST";
    return podIsAsked ? { kind: "reset", carriedOut: true } : undefined;
  };
  await failing(cluster, call);
  cluster.api.fault = () => undefined;
  return cluster;
}

describe("an application", () => {
  test("is its pod first, then the rest, which belongs to the pod", async () => {
    const cluster = await TestCluster.start();
    const { application, existed } = await submitTo(cluster);
    const [first, ...rest] = cluster.api.writes.map(shown);
    expect(first).toBe("POST Pod");
    expect(rest.sort()).toEqual(["PATCH ConfigMap", "PATCH NetworkPolicy", "PATCH Service"]);
    expect(existed).toBe(false);

    const [pod] = await cluster.objects<Pod>("Pod");
    expect(application).toMatchObject({
      driverPod: pod?.metadata?.name,
      submissionId: `spark-jobs:${pod?.metadata?.name}`,
    });
    const owner = {
      apiVersion: "v1",
      kind: "Pod",
      name: pod?.metadata?.name,
      uid: pod?.metadata?.uid,
      controller: true,
    };
    for (const kind of ["ConfigMap", "NetworkPolicy", "Service"] as const) {
      expect(await cluster.objects(kind)).toMatchObject([{ metadata: { ownerReferences: [owner] } }]);
    }
  });

  test("with a pod group has that before the pod, and then bound to it", async () => {
    const cluster = await TestCluster.start({ podGroups: true });
    await submitTo(cluster, { conf: VOLCANO });
    expect(cluster.api.writes.map(shown).slice(0, 3)).toEqual(["PATCH PodGroup", "POST Pod", "PATCH PodGroup"]);
    const [pod] = await cluster.objects<Pod>("Pod");
    expect(await cluster.objects("PodGroup")).toMatchObject([
      { metadata: { ownerReferences: [{ uid: pod?.metadata?.uid }] } },
    ]);
    if (pod !== undefined) await cluster.delete(pod);
    await expectNothingLeft(cluster);
  });
});

describe.each([
  ["without pre-resources", {}, 4],
  ["with pre-resources", VOLCANO, 6],
])("a submission %s that fails leaves nothing behind", (_, conf, writes) => {
  const faults: [string, Fault, string][] = [
    ["403", { kind: "status", status: 403, reason: "Forbidden", message: "no" }, "CLUSTER_FORBIDDEN"],
    ["409", { kind: "status", status: 409, reason: "Conflict", message: "no" }, "OBJECT_CONFLICT"],
    ["422", { kind: "status", status: 422, reason: "Invalid", message: "no" }, "OBJECT_INVALID"],
    ["a reset before the request is carried out", { kind: "reset", carriedOut: false }, "CLUSTER_UNREACHABLE"],
  ];

  test.each(
    Array.from({ length: writes }, (_, index) => index + 1).flatMap((nth) =>
      faults.map(([name, fault, code]) => [nth, name, fault, code] as const),
    ),
  )("at its write %i, by %s", async (nth, _, fault, code) => {
    const cluster = await TestCluster.start({ podGroups: true });
    let tried = 0;
    let target: string | undefined;
    cluster.api.fault = (request) => {
      if (request.method === "GET" || request.method === "DELETE") return undefined;
      const signature = `${request.path} ${JSON.stringify(request.body)}`;
      // A repeated request is the same write again.
      if (signature === target || ++tried === nth) {
        target = signature;
        return fault;
      }
      return undefined;
    };
    const error = await failing(cluster, { conf });
    expect(error.code).toBe(code);
    expect(error.message).not.toContain("\n");
    await expectNothingLeft(cluster);
  });

  test("by 500 for ever, for each kind of object", async () => {
    for (const kind of conf === VOLCANO ? [...KINDS, "PodGroup"] : KINDS) {
      const cluster = await TestCluster.start({ podGroups: true });
      cluster.api.fault = ({ body, method }) =>
        method !== "DELETE" && (body as { kind?: string } | undefined)?.kind === kind
          ? { kind: "status", status: 500, reason: "InternalError", message: `no ${kind}` }
          : undefined;
      const error = await failing(cluster, { conf });
      expect(error.code).toBe("CLUSTER_REFUSED");
      expect(error.message).toContain(`no ${kind}`);
      await expectNothingLeft(cluster);
    }
  });
});

describe("clean-up that is refused", () => {
  test("tells what is left, beside what went wrong", async () => {
    const cluster = await TestCluster.start();
    cluster.api.fault = ({ method, body }) =>
      method === "DELETE" || (body as { kind?: string } | undefined)?.kind === "Service"
        ? { kind: "status", status: 403, reason: "Forbidden", message: `${method} is not for you` }
        : undefined;
    const error = await failing(cluster);
    const [pod] = await cluster.objects<Pod>("Pod");
    expect(error.message).toBe("PATCH is not for you");
    expect(error.hint).toContain(`kubectl -n spark-jobs delete pod ${pod?.metadata?.name}`);
  });
});

describe("an answer that is lost", () => {
  test("to the creation of the pod does not make a second one", async () => {
    const cluster = await TestCluster.start();
    let lost = 0;
    cluster.api.fault = ({ method }) =>
      method === "POST" && lost++ === 0 ? { kind: "reset", carriedOut: true } : undefined;
    const { application, existed } = await submitTo(cluster);
    expect(existed).toBe(false);
    expect(await kindsIn(cluster)).toEqual(KINDS);
    expect(await cluster.contents()).toContain(`Pod/${application.driverPod}`);
  });

  test("and a server that then does not say whether the pod is there: the first error counts", async () => {
    const cluster = await TestCluster.start();
    cluster.api.fault = ({ method }) =>
      method === "POST"
        ? { kind: "status", status: 500, reason: "InternalError", message: "etcd is ill" }
        : { kind: "status", status: 403, reason: "Forbidden", message: "no list for you" };
    const error = await failing(cluster);
    expect(error.message).toContain("etcd is ill");
    expect(error.hint).toMatch(
      /^whether pod (spark-jobs):(\S+) was made is not known; if so, remove it: kubectl -n \1 delete pod \2$/,
    );
  });

  test("to a write behind the pod is asked for again", async () => {
    const cluster = await TestCluster.start();
    let lost = 0;
    cluster.api.fault = ({ method }) =>
      method === "PATCH" && lost++ < 2 ? { kind: "reset", carriedOut: true } : undefined;
    await submitTo(cluster);
    expect(await kindsIn(cluster)).toEqual(KINDS);
  });
});

describe("the same submission id", () => {
  const ONCE: SubmitCall = { submissionId: "etl-2026-11-21" };

  test("gives one application: the second call changes nothing and says so", async () => {
    const cluster = await TestCluster.start();
    const first = await submitTo(cluster, ONCE);
    const before = await cluster.contents();
    const writes = cluster.api.writes.length;
    const second = await submitTo(cluster, ONCE);
    expect([first.existed, second.existed]).toEqual([false, true]);
    expect(second.application).toEqual(first.application);
    expect(await cluster.contents()).toEqual(before);
    expect(cluster.api.writes.length).toBe(writes);
  });

  test("in another namespace, or with another id, is another application", async () => {
    const cluster = await TestCluster.start();
    await submitTo(cluster, ONCE);
    const elsewhere = await submitTo(cluster, {
      ...ONCE,
      namespace: "elsewhere",
    });
    const other = await submitTo(cluster, { submissionId: "etl-2026-11-22" });
    expect([elsewhere.existed, other.existed]).toEqual([false, false]);
    expect(await cluster.objects("Pod")).toHaveLength(3);
  });

  test("is completed where the first caller died behind the pod", async () => {
    const cluster = await diedAfterPod(ONCE);
    expect(await kindsIn(cluster)).toEqual(["Pod"]);
    const { existed } = await submitTo(cluster, ONCE);
    expect(existed).toBe(true);
    expect(await kindsIn(cluster)).toEqual(KINDS);
    const [pod] = await cluster.objects<Pod>("Pod");
    if (pod !== undefined) await cluster.delete(pod);
    await expectNothingLeft(cluster);
  });

  test("is completed with its pod group bound to the pod", async () => {
    const cluster = await diedAfterPod({ ...ONCE, conf: VOLCANO }, true);
    expect(await kindsIn(cluster)).toEqual(["Pod", "PodGroup"]);
    await submitTo(cluster, { ...ONCE, conf: VOLCANO });
    expect(await kindsIn(cluster)).toEqual([...KINDS.slice(0, 3), "PodGroup", "Service"]);
    const [pod] = await cluster.objects<Pod>("Pod");
    if (pod !== undefined) await cluster.delete(pod);
    await expectNothingLeft(cluster);
  });

  test("whose first caller died before the pod is submitted anew", async () => {
    const cluster = await TestCluster.start();
    cluster.api.fault = ({ method }) => (method === "GET" ? undefined : { kind: "reset", carriedOut: false });
    await failing(cluster, ONCE);
    cluster.api.fault = () => undefined;
    const { existed } = await submitTo(cluster, ONCE);
    expect(existed).toBe(false);
    expect(await kindsIn(cluster)).toEqual(KINDS);
  });

  test("a completion that fails takes nothing away: the application is another caller's", async () => {
    const cluster = await diedAfterPod(ONCE);
    cluster.api.fault = ({ body }) =>
      (body as { kind?: string } | undefined)?.kind === "Service"
        ? { kind: "status", status: 403, message: "no" }
        : undefined;
    expect((await failing(cluster, ONCE)).code).toBe("CLUSTER_FORBIDDEN");
    expect(await cluster.objects("Pod")).toHaveLength(1);
  });

  test("used by many callers at a time gives one pod, complete", async () => {
    const cluster = await TestCluster.start();
    const results = await Promise.all(Array.from({ length: 8 }, () => submitTo(cluster, ONCE)));
    expect(results.filter(({ existed }) => !existed)).toHaveLength(1);
    expect(new Set(results.map(({ application }) => application.submissionId)).size).toBe(1);
    expect(await kindsIn(cluster)).toEqual(KINDS);
  });

  test("does not take another application's pod for its own, where the user gave the pod its name", async () => {
    const cluster = await TestCluster.start();
    const named = { "spark.kubernetes.driver.pod.name": "the-driver" };
    await submitTo(cluster, { conf: named });
    const error = await failing(cluster, { ...ONCE, conf: named });
    expect(error).toMatchObject({ code: "OBJECT_CONFLICT", message: 'pods "the-driver" already exists' });
    expect(error.hint).toContain("spark.kubernetes.driver.pod.name");
    expect(await kindsIn(cluster)).toEqual(KINDS);
  });
});

describe("an abort", () => {
  test("before anything was created creates nothing", async () => {
    const cluster = await TestCluster.start();
    const error = await failing(cluster, { signal: AbortSignal.abort() });
    expect(error.code).toBe("INTERRUPTED");
    expect(cluster.api.writes).toEqual([]);
  });

  test.each([["POST"], ["PATCH"]])("while the server is busy with a %s leaves nothing behind", async (method) => {
    const cluster = await TestCluster.start({ podGroups: true });
    const abort = new AbortController();
    let release: () => void = () => {};
    const busy = new Promise<void>((resolve) => (release = resolve));
    let waiting = false;
    cluster.api.fault = (request) => {
      if (request.method !== method || waiting) return undefined;
      waiting = true;
      abort.abort();
      // The server handles it only after the client knows of the abort.
      setImmediate(release);
      return { kind: "wait", until: busy };
    };
    const error = await failing(cluster, { conf: VOLCANO, signal: abort.signal });
    expect(error.code).toBe("INTERRUPTED");
    await busy;
    await expectNothingLeft(cluster);
  });
});
