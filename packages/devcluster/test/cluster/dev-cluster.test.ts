import { ApiClient } from "@kindling/test-kit/api-client";
import { connectionOf } from "@kindling/test-kit/api-connection";
import { at, itemsOf } from "@kindling/test-kit/case-context";
import { createServer } from "node:net";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { DevCluster } from "../../src/index.ts";
import { testCluster } from "../support/test-cluster.ts";

describe("start", () => {
  test("gives an address, and a cluster with its namespaces and nodes", async () => {
    const { cluster, client } = await testCluster({ nodes: 2 });
    expect(cluster.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const nodes = itemsOf(await client.get("/api/v1/nodes"));
    expect(nodes.map((node) => at(node, "metadata.name"))).toEqual(["node-1", "node-2"]);
    const namespaces = itemsOf(await client.get("/api/v1/namespaces"));
    expect(namespaces.map((namespace) => at(namespace, "metadata.name"))).toEqual([
      "default",
      "kube-node-lease",
      "kube-public",
      "kube-system",
    ]);
  });

  test("makes nodes as they are described", async () => {
    const taint = { key: "only", value: "x", effect: "NoSchedule" };
    const { client } = await testCluster({
      nodes: [{ name: "big", cpu: "64", memory: "256Gi", pods: "50", labels: { zone: "a" }, taints: [taint] }],
    });
    const { body } = await client.get("/api/v1/nodes/big");
    expect(at(body, "metadata.labels.zone")).toBe("a");
    expect(at(body, "spec.taints")).toEqual([taint]);
    expect(at(body, "status.allocatable")).toMatchObject({ cpu: "64", memory: "256Gi", pods: "50" });
  });

  test("says that its port is taken, and leaves nothing behind", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => void other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as { port: number };
    await expect(DevCluster.start({ port })).rejects.toMatchObject({
      name: "KindlingError",
      message: expect.stringContaining(String(port)) as string,
    });
    await new Promise((resolve) => other.close(resolve));
    const { cluster } = await testCluster({ port });
    expect(cluster.url).toBe(`http://127.0.0.1:${port}`);
  });

  test("can be done many times in one process", async () => {
    const clusters = await Promise.all([1, 2, 3].map(async () => await testCluster()));
    expect(new Set(clusters.map(({ cluster }) => cluster.url)).size).toBe(3);
    await clusters[0]?.context.create("/api/v1/namespaces", { metadata: { name: "mine" } });
    const other = await clusters[1]?.client.get("/api/v1/namespaces/mine");
    expect(other?.status).toBe(404);
  });
});

describe("stop", () => {
  test("ends connections and watches, and frees the port", async () => {
    const { cluster, client, context } = await testCluster();
    const stream = await context.watch(`${context.path("configmaps")}?watch=true`);
    // The existing object.
    await stream.next();
    const end = stream.next().then(
      () => "ended",
      () => "cut",
    );
    await cluster.stop();
    expect(["ended", "cut"]).toContain(await end);
    const newcomer = client.as(undefined);
    await expect(newcomer.get("/version")).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });

  test("can be called again", async () => {
    const { cluster } = await testCluster();
    await cluster.stop();
    await expect(cluster.stop()).resolves.toBeUndefined();
  });

  test("does not wait for pods that take their time", async () => {
    const { cluster, context } = await testCluster({ script: () => ({ stopMilliseconds: 3_600_000 }) });
    await context.create(context.path("pods"), {
      metadata: { name: "slow" },
      spec: { containers: [{ name: "main", image: "x" }] },
    });
    await context.until(
      async () => await context.client.get(context.path("pods", "slow")),
      ({ body }) => at(body, "status.phase") === "Running",
      "a running pod",
    );
    await expect(cluster.stop()).resolves.toBeUndefined();
  });
});

describe("kubeconfig", () => {
  test("has what a client needs over plain HTTP", async () => {
    const { cluster } = await testCluster();
    const config = parse(cluster.kubeconfig()) as { clusters: unknown[] };
    expect(config.clusters).toEqual([expect.objectContaining({ cluster: { server: cluster.url } })]);
  });

  test("has a token for the administrator over HTTPS, or a certificate", async () => {
    const { cluster, client } = await testCluster({ tls: true });
    const { authority, token } = await connectionOf(cluster.kubeconfig());
    expect(authority).toBe(cluster.authority);
    expect(token).toBe(cluster.token);
    expect((await client.get("/api/v1/nodes")).status).toBe(200);
    const connection = await connectionOf(cluster.kubeconfig("certificate"));
    expect(connection.token).toBeUndefined();
    expect(connection.certificate).toMatch(/BEGIN CERTIFICATE/);
    const certified = new ApiClient(connection);
    expect((await certified.get("/api/v1/nodes")).status).toBe(200);
    certified.close();
  });

  test("has a certificate for any user, who may what the groups may", async () => {
    const { cluster } = await testCluster({ tls: true, authorization: "rbac" });
    const may = async (groups: readonly string[]): Promise<number> => {
      const client = new ApiClient(await connectionOf(cluster.kubeconfig({ name: "alice", groups })));
      const { status } = await client.get("/api/v1/nodes");
      client.close();
      return status;
    };
    expect(await may(["system:masters"])).toBe(200);
    expect(await may(["others"])).toBe(403);
  });

  test("lets nobody believe that another user was asked for", async () => {
    const { client } = await testCluster({ tls: true });
    expect(await client.get("/api/v1/nodes", { headers: { "impersonate-user": "alice" } })).toMatchObject({
      status: 400,
      body: { message: "impersonation is not served by this cluster" },
    });
  });

  test("does not let those in who have nothing to show", async () => {
    const { client } = await testCluster({ tls: true });
    const stranger = client.as(undefined);
    const answer = await stranger.get("/api/v1/nodes");
    expect(answer.status).toBeGreaterThanOrEqual(401);
    stranger.close();
  });

  test("is good for one cluster only", async () => {
    const [one, other] = [await testCluster({ tls: true }), await testCluster({ tls: true })];
    const stolen = { ...(await connectionOf(one.cluster.kubeconfig())), url: new URL(other.cluster.url) };
    const client = new ApiClient(stolen);
    await expect(client.get("/version")).rejects.toMatchObject({
      message: expect.stringMatching(/certificate/) as string,
    });
    client.close();
  });
});

describe("tokens", () => {
  test("the administrator's may do everything", async () => {
    const { cluster, client } = await testCluster({ tls: true, authorization: "rbac", token: "s3cret" });
    expect(cluster.token).toBe("s3cret");
    const admin = client.as("s3cret");
    expect((await admin.get("/api/v1/secrets")).status).toBe(200);
    const reviews = "/apis/authentication.k8s.io/v1/tokenreviews";
    const known = await admin.post(reviews, { spec: { token: "s3cret" } });
    expect(known.body["status"]).toMatchObject({ authenticated: true, user: { username: "kubernetes-admin" } });
    const elsewhere = await admin.post(reviews, { spec: { token: "s3cret", audiences: ["elsewhere"] } });
    expect(elsewhere.body["status"]).not.toHaveProperty("authenticated");
    admin.close();
  });

  test("those of service accounts may do what their roles allow", async () => {
    const { cluster, client, context } = await testCluster({ tls: true, authorization: "rbac" });
    const rbac = "/apis/rbac.authorization.k8s.io/v1/namespaces/default";
    await context.create(`${rbac}/roles`, {
      metadata: { name: "reader" },
      rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["list"] }],
    });
    await context.create(`${rbac}/rolebindings`, {
      metadata: { name: "reader" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "reader" },
      subjects: [{ kind: "ServiceAccount", name: "default", namespace: "default" }],
    });
    const account = client.as(cluster.serviceAccountToken("default", "default"));
    expect((await account.get("/api/v1/namespaces/default/pods")).status).toBe(200);
    expect((await account.get("/api/v1/namespaces/default/secrets")).status).toBe(403);
    account.close();
  });

  test("there are none for accounts that are not there", async () => {
    const { cluster } = await testCluster();
    expect(() => cluster.serviceAccountToken("default", "nobody")).toThrow(
      "no service account nobody in namespace default",
    );
  });
});
