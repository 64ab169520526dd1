import { readFileSync } from "node:fs";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { eventually } from "@kindling/test-kit/eventually";
import { expect, test } from "vitest";
import { FakeDriver, names, SET_KINDS } from "./support/fake-driver.ts";
import { startTestGateway } from "./support/test-gateway.ts";

const RBAC = "/apis/rbac.authorization.k8s.io/v1";
const GROUP = "rbac.authorization.k8s.io";

const README = readFileSync(new URL("../README.md", import.meta.url), "utf8");

/** The rights of the gateway's account according to the README, in the part that a pattern matches. */
function rulesOfReadme(where: RegExp, group: string): { apiGroups: string[]; resources: string[]; verbs: string[] }[] {
  const [, row = ""] = where.exec(README) ?? [];
  return row.split("; ").map((part) => {
    const [verbs = "", resource = ""] = part.split(" on ");
    const [plural = "", own = group] = (textsIn(resource)[0] ?? "").split(".");
    return { apiGroups: [own], resources: [plural], verbs: textsIn(verbs) };
  });
}

function textsIn(markdown: string): string[] {
  return [...markdown.matchAll(/`([^`]+)`/g)].map(([, text = ""]) => text);
}

test("a gateway with the rights of the README serves drivers that have none", async () => {
  const cluster = await TestCluster.start({ authorization: "rbac" });
  await cluster.send("POST", "/api/v1/namespaces/elsewhere/serviceaccounts", { metadata: { name: "gateway" } });
  const subjects = [{ kind: "ServiceAccount", name: "gateway", namespace: "elsewhere" }];
  const metadata = { name: "gateway" };
  const served = rulesOfReadme(/\*\*Rights\*\* \| in the namespaces served: (.*?)\. In the cluster/, "");
  const election = rulesOfReadme(/in the Lease's namespace: (.*?) \|/, "coordination.k8s.io");
  for (const [namespace, own] of [
    ["spark-jobs", served],
    ["elsewhere", election],
  ] as const) {
    const path = `${RBAC}/namespaces/${namespace}`;
    await cluster.send("POST", `${path}/roles`, { metadata, rules: own });
    await cluster.send("POST", `${path}/rolebindings`, {
      ...{ metadata, subjects },
      roleRef: { apiGroup: GROUP, kind: "Role", name: "gateway" },
    });
  }
  const rules = [{ apiGroups: ["authentication.k8s.io"], resources: ["tokenreviews"], verbs: ["create"] }];
  await cluster.send("POST", `${RBAC}/clusterroles`, { metadata, rules });
  await cluster.send("POST", `${RBAC}/clusterrolebindings`, {
    ...{ metadata, subjects },
    roleRef: { apiGroup: GROUP, kind: "ClusterRole", name: "gateway" },
  });
  const token = cluster.devCluster.serviceAccountToken("elsewhere", "gateway");
  const leader = ["--leader-election", "true", "--leader-lease-namespace", "elsewhere"];
  const settings = ["--cluster-namespaces", "spark-jobs", ...leader];
  const gateway = await startTestGateway(cluster, { token, settings });
  await eventually(async () => expect((await fetch(new URL("readyz", gateway.adminUri))).status).toBe(200));
  const driver = await FakeDriver.run(cluster, "drv");
  const client = driver.at(gateway);
  const spec = { volumes: [{ name: "data", persistentVolumeClaim: { claimName: "drv-exec-1-pvc-0" } }] };
  const pod = await client.post(driver.path("pods"), driver.executor(1, { spec }));
  expect(
    (await client.post(driver.path("persistentvolumeclaims"), driver.claim("drv-exec-1-pvc-0", pod.body))).status,
  ).toBe(201);
  const name = "spark-exec-0a1b2c3d4e5f6071-conf-map";
  const map = { metadata: { name, labels: { "spark-app-selector": driver.app } } };
  for (let time = 0; time < 2; time += 1) {
    expect((await client.post(driver.path("configmaps"), map)).status).toBe(201);
  }
  await eventually(async () => {
    expect((await client.get(driver.path("pods", "drv-exec-1"))).body).toMatchObject({ status: { phase: "Running" } });
  });
  const words = { metadata: { labels: { "spark-exec-inactive": "true" } } };
  expect((await client.patch(driver.path("pods", "drv-exec-1"), "merge", words)).status).toBe(200);
  expect((await client.delete(driver.path("configmaps", name))).status).toBe(200);
  for (const resource of ["services", "persistentvolumeclaims", "pods", "configmaps"]) {
    expect((await client.delete(driver.path(resource))).status, resource).toBe(200);
  }
  await eventually(async () => expect(names(await client.get(driver.path("pods")))).toEqual(["drv"]));
  for (const [kind, plural] of SET_KINDS) {
    const sets = `/apis/apps/v1/namespaces/${driver.namespace}/${plural}`;
    for (let time = 0; time < 2; time += 1) {
      expect((await client.post(sets, driver.setOf(kind))).status).toBe(201);
    }
    expect((await client.put(`${sets}/${driver.setName(kind)}/scale`, { spec: { replicas: 1 } })).status).toBe(200);
    expect((await client.delete(`${sets}/${driver.setName(kind)}`)).status).toBe(200);
  }
  const elsewhere = await FakeDriver.run(cluster, "drv", { namespace: "elsewhere" });
  expect((await elsewhere.at(gateway).get(elsewhere.path("pods"))).body).toMatchObject({
    code: 403,
    message: "Forbidden: the gateway does not serve namespace elsewhere",
  });
});
