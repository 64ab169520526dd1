import { expect, it } from "vitest";
import { systemClock } from "@kindling/outside";
import { type OwnerState, type StagedResourcesOwner } from "@kindling/staging-client";
import { eventually } from "@kindling/test-kit/eventually";
import type { ClusterConnection } from "../../src/cluster/cluster-connection.ts";
import { connectCluster } from "../../src/cluster/connect-cluster.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { driverPod, removeNamespace, removePod } from "../support/driver-pod.ts";
import { failWith } from "../support/impostor.ts";
import { OWN_NAMESPACE, servedCluster, type ServedCluster } from "../support/served-cluster.ts";
import { defineApplications, makeApplication } from "../support/spark-application.ts";

const OWNER: StagedResourcesOwner = {
  ownerNamespace: "spark-jobs",
  ownerLabels: { "spark-app-selector": "spark-1", "spark-role": "driver" },
  ownerType: "Pod",
};
const DRIVER = driverPod({ namespace: OWNER.ownerNamespace, labels: OWNER.ownerLabels });

async function connect({ kubeconfig }: ServedCluster, args: readonly string[] = []): Promise<ClusterConnection> {
  const all = ["--listen-host", "127.0.0.1", "--cluster-kubeconfig", kubeconfig, ...args];
  return await connectCluster(loadConfig({ args: all, env: {}, readFile: () => "" }));
}

async function scene(args: readonly string[] = []) {
  const served = await servedCluster();
  const connection = await connect(served, args);
  const errors: unknown[] = [];
  const owners = connection.watchOwners({ clock: systemClock, onError: (error) => errors.push(error) });
  const state = (owner = OWNER, uid?: string): OwnerState => owners.state(owner, uid);
  const becomes = (wanted: OwnerState, owner = OWNER, uid?: string): Promise<void> =>
    eventually(() => expect(state(owner, uid)).toBe(wanted), { interval: 20 });
  const end = async (): Promise<void> => {
    await owners.close();
    connection.close();
  };
  return { ...served, api: served.cluster.api, owners, errors, state, becomes, end };
}

it("keeps the files of a driver that the gateway may start again, and of the one that follows", async () => {
  const { cluster, owners, errors, becomes, end } = await scene();
  const held = { ...DRIVER, metadata: { ...DRIVER.metadata, finalizers: ["scheduler.kindling/restart"] } };
  const first = await cluster.createPod(held);
  const uid = first.metadata?.uid;
  await owners.follow([OWNER]);
  cluster.end(first, 1);
  await cluster.inPhase(first, "Failed");
  await becomes("present", OWNER, uid);
  await cluster.send("PATCH", "/api/v1/namespaces/spark-jobs/pods/drv", { metadata: { finalizers: null } });
  await becomes("finished", OWNER, uid);
  await removePod(cluster, first);
  await becomes("absent", OWNER, uid);
  await cluster.createPod(DRIVER);
  await becomes("present", OWNER, uid);
  expect(errors).toEqual([]);
  await end();
});

it("follows a pod from its creation to its end", async () => {
  const { cluster, owners, state, becomes, end } = await scene();
  expect(state()).toBe("unknown");
  await owners.follow([OWNER]);
  expect(state()).toBe("absent");
  const labels = { "spark-app-selector": "spark-2", "spark-role": "driver" };
  await cluster.createPod(driverPod({ name: "other", namespace: OWNER.ownerNamespace, labels }));
  expect(state()).toBe("absent");
  cluster.hold();
  await cluster.createPod(DRIVER, "Pending");
  await becomes("present");
  cluster.release();
  await cluster.inPhase(DRIVER, "Running");
  expect(state()).toBe("present");
  cluster.end(DRIVER, 0);
  await becomes("finished");
  await removePod(cluster, DRIVER);
  await becomes("absent");
  await end();
});

it("knows a bound owner by its uid, and its successor by the labels", async () => {
  const { cluster, owners, becomes, end } = await scene();
  const labels = { "spark-app-selector": "renamed" };
  const { metadata: { uid } = {} } = await cluster.createPod(driverPod({ namespace: OWNER.ownerNamespace, labels }));
  await owners.follow([OWNER]);
  await becomes("present", OWNER, uid);
  await becomes("absent", OWNER, "another-uid");
  expect(owners.state(OWNER, uid)).toBe("present");
  await end();
});

it("opens one watch for each namespace, whatever the number of owners, and none for others", async () => {
  const { api, owners, end } = await scene();
  const many = Array.from({ length: 50 }, (_, index) => ({
    ...OWNER,
    ownerNamespace: index % 2 === 0 ? "spark-jobs" : "elsewhere",
    ownerLabels: { "spark-app-selector": `spark-${index}` },
  }));
  for (let round = 0; round < 3; round++) await owners.follow(many);
  await eventually(() => expect(api.openWatches).toBe(2));
  const lists = api.requests.filter(({ query }) => !query.has("watch")).map(({ path }) => path);
  expect(lists.toSorted()).toEqual(["elsewhere", "spark-jobs"].map((name) => `/api/v1/namespaces/${name}/pods`));
  expect(api.requests.every(({ query }) => query.get("labelSelector") === "spark-app-selector")).toBe(true);
  await owners.follow([]);
  expect(owners.state(OWNER, undefined)).toBe("unknown");
  await eventually(() => expect(api.openWatches).toBe(0));
  await end();
});

it.each([500, 403, 401])(
  "knows nothing while the API server answers %i, and everything again afterwards",
  async (status) => {
    const { cluster, api, owners, state, becomes, errors, end } = await scene();
    await owners.follow([OWNER]);
    expect(state()).toBe("absent");
    failWith(api, status);
    await becomes("unknown");
    await eventually(() => expect(errors.length).toBeGreaterThan(0));
    await cluster.createPod(DRIVER);
    api.fault = () => undefined;
    await becomes("present");
    await end();
  },
  60_000,
);

it("lists again when its watch has expired", async () => {
  const { cluster, api, owners, becomes, end } = await scene();
  await owners.follow([OWNER]);
  await eventually(() => expect(api.openWatches).toBe(1));
  const lists = (): number => api.requests.filter(({ query }) => !query.has("watch")).length;
  expect(lists()).toBe(1);
  api.endWatches({ code: 410, reason: "Expired" });
  await cluster.createPod(DRIVER);
  await becomes("present");
  expect(lists()).toBe(2);
  await end();
});

it("takes an owner whose namespace is gone for absent, though it may not list there", async () => {
  const { cluster, api, owners, state, becomes, revoke, end } = await scene();
  await owners.follow([OWNER]);
  expect(state()).toBe("absent");
  await revoke(OWNER.ownerNamespace);
  api.breakConnections();
  await becomes("unknown");
  await removeNamespace(cluster, OWNER.ownerNamespace);
  await eventually(async () => {
    await owners.confirm([{ owner: OWNER, uid: undefined, isDue: false }]);
    expect(state()).toBe("absent");
  });
  await end();
}, 60_000);

it("watches a custom resource that is declared to own bundles", async () => {
  const declared =
    "SparkApplication=sparkoperator.k8s.io/v1beta2/sparkapplications=status.applicationState.state:COMPLETED|FAILED";
  const { cluster, owners, state, becomes, end } = await scene(["--lifecycle-owner-resources", declared]);
  const owner = { ...OWNER, ownerType: "SparkApplication", ownerLabels: { app: "x" } };
  expect(owners.knows("SparkApplication")).toBe(true);
  expect(owners.knows("Job")).toBe(false);
  expect(state({ ...owner, ownerType: "Job" })).toBe("unwatched");
  await defineApplications(cluster);
  await owners.follow([owner]);
  expect(state(owner)).toBe("absent");
  const application = await makeApplication(cluster, OWNER.ownerNamespace, { app: "x" });
  await application.comesTo("RUNNING");
  await becomes("present", owner);
  await application.comesTo("COMPLETED");
  await becomes("finished", owner);
  await end();
});

it.each(["SparkApplication", "X=a/b", "Pod=a/b/c", "X=g/v1/xs=status:"])(
  "refuses %s as an owner's resource",
  async (text) => {
    const served = await servedCluster();
    await expect(connect(served, ["--lifecycle-owner-resources", text])).rejects.toMatchObject({
      code: "CONF_INVALID",
    });
  },
);

it("puts one of several servers in charge, and the next one when it leaves", async () => {
  const served = await servedCluster();
  const { api } = served.cluster;
  const place = ["--cluster-lease-namespace", OWN_NAMESPACE];
  const [first, second] = [await connect(served, place), await connect(served, place)];
  const one = first.elect({ replica: "one", onError: () => undefined });
  await eventually(() => expect(one.inCharge()).toBe(true));
  const two = second.elect({ replica: "two", onError: () => undefined });
  const looks = (): number =>
    api.requests.filter(({ method, path }) => method === "GET" && path.includes("/leases/")).length;
  await eventually(() => expect(looks()).toBeGreaterThan(1));
  expect(two.inCharge()).toBe(false);
  await one.close();
  expect(one.inCharge()).toBe(false);
  await eventually(() => expect(two.inCharge()).toBe(true));
  await two.close();
  first.close();
  second.close();
}, 60_000);
