import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { systemClock } from "@kindling/outside";
import { type OwnerState, type StagedResourcesOwner } from "@kindling/staging-client";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { eventually } from "@kindling/test-kit/eventually";
import type { ClusterConnection } from "../../src/cluster/cluster-connection.ts";
import { connectCluster } from "../../src/cluster/connect-cluster.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { apiServerStub, type ApiServerStub } from "../support/api-server-stub.ts";

const OWNER: StagedResourcesOwner = {
  ownerNamespace: "default",
  ownerLabels: { "spark-app-selector": "spark-1", "spark-role": "driver" },
  ownerType: "Pod",
};
const LABELS = OWNER.ownerLabels;

async function connect(api: ApiServerStub, args: readonly string[] = []): Promise<ClusterConnection> {
  const kubeconfig = join(scratchFolder().path, "config");
  await writeFile(kubeconfig, api.kubeconfig);
  const all = ["--listen-host", "127.0.0.1", "--cluster-kubeconfig", kubeconfig, ...args];
  return await connectCluster(loadConfig({ args: all, env: {}, readFile: () => "" }));
}

async function scene(args: readonly string[] = []) {
  const api = await apiServerStub();
  const cluster = await connect(api, args);
  const errors: unknown[] = [];
  const owners = cluster.watchOwners({ clock: systemClock, onError: (error) => errors.push(error) });
  const state = (owner = OWNER, uid?: string): OwnerState => owners.state(owner, uid);
  const becomes = (wanted: OwnerState, owner = OWNER, uid?: string): Promise<void> =>
    eventually(() => expect(state(owner, uid)).toBe(wanted), { interval: 20 });
  const end = async (): Promise<void> => {
    await owners.close();
    cluster.close();
  };
  return { api, cluster, owners, errors, state, becomes, end };
}

it("follows a pod from its creation to its end", async () => {
  const { api, owners, state, becomes, end } = await scene();
  expect(state()).toBe("unknown");
  await owners.follow([OWNER]);
  expect(state()).toBe("absent");
  api.put("default/pods", "other", { labels: { "spark-app-selector": "spark-2", "spark-role": "driver" } });
  api.put("default/pods", "drv", { labels: LABELS, status: { phase: "Pending" } });
  await becomes("present");
  api.put("default/pods", "drv", { labels: LABELS, status: { phase: "Running" } });
  api.put("default/pods", "drv", { labels: LABELS, status: { phase: "Succeeded" } });
  await becomes("finished");
  api.remove("default/pods", "drv");
  await becomes("absent");
  await end();
});

it("knows a bound owner by its uid, and its successor by the labels", async () => {
  const { api, owners, becomes, end } = await scene();
  const uid = api.put("default/pods", "drv", {
    labels: { "spark-app-selector": "renamed" },
    status: { phase: "Running" },
  });
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
    ownerNamespace: index % 2 === 0 ? "default" : "team-a",
    ownerLabels: { "spark-app-selector": `spark-${index}` },
  }));
  for (let round = 0; round < 3; round++) await owners.follow(many);
  await eventually(() => expect(api.requests.filter((path) => path.includes("watch="))).toHaveLength(2));
  expect(api.requests.every((path) => path.includes("labelSelector=spark-app-selector"))).toBe(true);
  await owners.follow([]);
  expect(owners.state(OWNER, undefined)).toBe("unknown");
  await end();
});

it.each([500, 403, 401])(
  "knows nothing while the API server answers %i, and everything again afterwards",
  async (status) => {
    const { api, owners, state, becomes, errors, end } = await scene();
    await owners.follow([OWNER]);
    expect(state()).toBe("absent");
    api.fail(status);
    await becomes("unknown");
    expect(errors.length).toBeGreaterThan(0);
    api.put("default/pods", "drv", { labels: LABELS, status: { phase: "Running" } });
    api.fail(undefined);
    await becomes("present");
    await end();
  },
  20_000,
);

it("lists again when its watch has expired", async () => {
  const { api, owners, becomes, end } = await scene();
  await owners.follow([OWNER]);
  await eventually(() => expect(api.requests.some((path) => path.includes("watch="))).toBe(true));
  api.expire();
  api.put("default/pods", "drv", { labels: LABELS, status: { phase: "Running" } });
  await becomes("present");
  await end();
});

it("takes an owner whose namespace is gone for absent, though it may not list there", async () => {
  const { api, owners, state, becomes, end } = await scene();
  await owners.follow([OWNER]);
  expect(state()).toBe("absent");
  api.forbid("default/pods");
  await becomes("unknown");
  api.missingNamespaces.add("default");
  await eventually(async () => {
    await owners.confirm([{ owner: OWNER, uid: undefined, isDue: false }]);
    expect(state()).toBe("absent");
  });
  await end();
}, 20_000);

it("watches a custom resource that is declared to own bundles", async () => {
  const declared =
    "SparkApplication=sparkoperator.k8s.io/v1beta2/sparkapplications=status.applicationState.state:COMPLETED|FAILED";
  const { api, owners, state, becomes, end } = await scene(["--lifecycle-owner-resources", declared]);
  const owner = { ...OWNER, ownerType: "SparkApplication", ownerLabels: { app: "x" } };
  expect(owners.knows("SparkApplication")).toBe(true);
  expect(owners.knows("Job")).toBe(false);
  expect(state({ ...owner, ownerType: "Job" })).toBe("unwatched");
  await owners.follow([owner]);
  expect(state(owner)).toBe("absent");
  api.put("default/sparkapplications", "a", {
    labels: { app: "x" },
    status: { applicationState: { state: "RUNNING" } },
  });
  await becomes("present", owner);
  api.put("default/sparkapplications", "a", {
    labels: { app: "x" },
    status: { applicationState: { state: "COMPLETED" } },
  });
  await becomes("finished", owner);
  await end();
});

it.each(["SparkApplication", "X=a/b", "Pod=a/b/c", "X=g/v1/xs=status:"])(
  "refuses %s as an owner's resource",
  async (text) => {
    const api = await apiServerStub();
    await expect(connect(api, ["--lifecycle-owner-resources", text])).rejects.toMatchObject({ code: "CONF_INVALID" });
  },
);

it("puts one of several servers in charge, and the next one when it leaves", async () => {
  const api = await apiServerStub();
  const [first, second] = [await connect(api), await connect(api)];
  const one = first.elect({ replica: "one", onError: () => undefined });
  await eventually(() => expect(one.inCharge()).toBe(true));
  const two = second.elect({ replica: "two", onError: () => undefined });
  await eventually(() =>
    expect(api.requests.filter((path) => path.startsWith("GET") && path.includes("/leases/")).length).toBeGreaterThan(
      1,
    ),
  );
  expect(two.inCharge()).toBe(false);
  await one.close();
  expect(one.inCharge()).toBe(false);
  await eventually(() => expect(two.inCharge()).toBe(true));
  await two.close();
  first.close();
  second.close();
}, 20_000);
