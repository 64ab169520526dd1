import { resources } from "@kindling/kube";
import { systemClock } from "@kindling/outside";
import { eventually } from "@kindling/test-kit/eventually";
import type { PersistentVolumeClaim, Pod } from "kubernetes-types/core/v1.js";
import { describe, expect, test } from "vitest";
import { ClaimPool, type ExecutorResources } from "../../src/index.ts";
import {
  APPLICATION,
  executor,
  LIFECYCLE,
  NAMESPACE,
  serve,
  type ServedExecutors,
  startCluster,
} from "../support/served-executors.ts";

const want = ({ backend }: ServedExecutors, total: number): void =>
  backend.requestTotalExecutors(new Map([[0, total]]));

/** Ends the container of an executor. */
async function end({ cluster, client }: ServedExecutors, id: number, exitCode: number): Promise<void> {
  cluster.end(await client.get(resources.pods, `exec-${id}`, { namespace: NAMESPACE }), exitCode);
}

describe("an application on a cluster", () => {
  test("has as many executors as it wants, and others in place of those that end", async () => {
    const executors = serve(await startCluster());
    want(executors, 7);
    await executors.areRunning(1, 2, 3, 4, 5, 6, 7);
    await end(executors, 3, 137);
    await end(executors, 5, 0);
    await executors.areRunning(1, 2, 4, 6, 7, 8, 9);
    expect(executors.exits.toSorted((one, other) => one.id - other.id)).toMatchObject([
      { id: 3, kind: "exited", exitCode: 137, causedByApp: true },
      { id: 5, kind: "exited", exitCode: 0, causedByApp: true },
    ]);
    expect(executors.errors).toEqual([]);
  });

  test("loses those that it kills, and is told so", async () => {
    const executors = serve(await startCluster());
    want(executors, 3);
    await executors.areRunning(1, 2, 3);
    want(executors, 1);
    executors.backend.killExecutors([1, 2]);
    await executors.areRunning(3);
    await eventually(() =>
      expect(executors.exits.map(({ id, kind }) => `${id} ${kind}`).sort()).toEqual(["1 killed", "2 killed"]),
    );
  });

  test("gets rid of pending pods that it wants no more", async () => {
    const executors = serve(await startCluster());
    executors.cluster.hold();
    want(executors, 4);
    await eventually(async () => expect(await executors.ids("Pending")).toEqual([1, 2, 3, 4]));
    want(executors, 0);
    await eventually(async () => expect(await executors.ids()).toEqual([]));
  });

  test("keeps the pods of executors that have ended, where it is told to", async () => {
    const executors = serve(await startCluster(), { lifecycle: { ...LIFECYCLE, deleteOnTermination: false } });
    want(executors, 1);
    await executors.areRunning(1);
    await end(executors, 1, 1);
    await eventually(async () => {
      const pod = await executors.client.get(resources.pods, "exec-1", { namespace: NAMESPACE });
      expect(pod.metadata?.labels?.["spark-exec-inactive"]).toBe("true");
      expect(await executors.ids("Running")).toEqual([2]);
    });
  });

  test("is told once that too many executors have failed", async () => {
    const failures: number[] = [];
    const executors = serve(await startCluster(), { onTooManyFailures: (count) => failures.push(count) });
    executors.cluster.script = () => ({ runMilliseconds: 1, exitCode: 1 });
    want(executors, 2);
    await eventually(() => expect(executors.exits.length).toBeGreaterThan(4));
    expect(failures).toHaveLength(1);
  });
});

test("a backend that takes over finds the executors of the one before it", async () => {
  const started = await startCluster();
  const first = serve(started);
  want(first, 3);
  await first.areRunning(1, 2, 3);
  await first.stop();
  const second = serve(started);
  want(second, 5);
  await second.areRunning(1, 2, 3, 4, 5);
  expect(second.exits).toEqual([]);
});

test("a quota is waited for, and used as soon as there is room", async () => {
  const started = await startCluster();
  const path = `/api/v1/namespaces/${NAMESPACE}/resourcequotas`;
  await started.cluster.send("POST", path, { metadata: { name: "few" }, spec: { hard: { pods: "2" } } });
  const executors = serve(started);
  want(executors, 4);
  await eventually(() => expect(executors.backend.refusals.get(0)?.message).toMatch(/exceeded quota: few/));
  expect(await executors.ids("Running")).toHaveLength(2);
  await started.cluster.send("PATCH", `${path}/few`, { spec: { hard: { pods: "4" } } });
  await eventually(async () => expect(await executors.ids("Running")).toHaveLength(4));
  expect(executors.backend.refusals.size).toBe(0);
});

test("a create whose answer is lost makes no second executor", async () => {
  const executors = serve(await startCluster());
  const { api } = executors.cluster;
  const isCreate = ({ method, path }: { method: string; path: string }): boolean =>
    method === "POST" && path.endsWith("/pods");
  let lost = 0;
  api.fault = (request) => {
    if (!isCreate(request) || lost === 2) return undefined;
    lost += 1;
    return { kind: "reset", carriedOut: true };
  };
  want(executors, 3);
  await executors.areRunning(1, 2, 3);
  expect(lost).toBe(2);
  expect(executors.exits).toEqual([]);
});

test("a watch that the server has forgotten goes on with a list, and what happened meanwhile is told", async () => {
  const started = await startCluster();
  const executors = serve(started);
  want(executors, 3);
  await executors.areRunning(1, 2, 3);
  await started.cluster.devCluster.faults.restart();
  await started.client.delete(resources.pods, "exec-2", { namespace: NAMESPACE, gracePeriodSeconds: 0 });
  await executors.areRunning(1, 3, 4);
  expect(executors.exits).toMatchObject([{ id: 2, kind: "deleted" }]);
});

test("executors take over the claims that others have left, and own no claim twice", async () => {
  const started = await startCluster();
  const { client } = started;
  const labels = { "spark-app-selector": APPLICATION };
  const claim = (name: string): PersistentVolumeClaim => ({
    metadata: { name, labels },
    spec: { accessModes: ["ReadWriteOnce"], storageClassName: "fast", resources: { requests: { storage: "1Gi" } } },
  });
  const build = (id: number, profileId: number): ExecutorResources => {
    const { pod } = executor(id, profileId);
    const volumes = [{ name: "data", persistentVolumeClaim: { claimName: `exec-${id}-pvc-0` } }];
    const spec = { ...pod.spec, containers: pod.spec?.containers ?? [], volumes };
    return { pod: { ...pod, spec }, claims: [claim(`exec-${id}-pvc-0`)] };
  };
  await client.create(resources.persistentvolumeclaims, claim("left-over"), { namespace: NAMESPACE });
  const pool = new ClaimPool({
    ...{ client, namespace: NAMESPACE, applicationId: APPLICATION, clock: systemClock },
    podCreationTimeoutMs: -2_000,
  });
  const executors = serve(started, {
    build,
    claimPool: pool,
    claimBudget: async (delivery) => {
      await pool.refresh(delivery);
      return { reusable: pool.size, limit: 100, perExecutor: () => 1 };
    },
  });
  want(executors, 2);
  await eventually(async () => expect(await executors.ids()).toEqual([1, 2]));
  const { items } = await client.listAll(resources.pods, { namespace: NAMESPACE });
  const mounted = items.map((pod: Pod) => pod.spec?.volumes?.[0]?.persistentVolumeClaim?.claimName);
  expect(new Set(mounted)).toEqual(new Set(["exec-2-pvc-0", "left-over"]));
});
