import { describe, expect, test } from "vitest";
import { resources, type KubeClient, type KubeObjectLike, type ResourceType } from "../../src/index.ts";
import { asAsked, listOf, stored } from "../fixtures/as-asked.ts";
import { caught } from "../fixtures/caught.ts";
import { sendJson, startStub } from "@kindling/test-kit/stub-server";
import { sendStatus } from "../fixtures/send-status.ts";
import { testClient } from "../fixtures/test-client.ts";

const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "p" } };
const PODS = "/api/v1/namespaces/default/pods";

interface Call {
  readonly what: string;
  readonly call: (client: KubeClient) => Promise<unknown>;
  readonly method: string;
  readonly url: string;
  readonly type?: string;
  readonly body?: unknown;
}

const calls: readonly Call[] = [
  { what: "get", call: (client) => client.get(resources.pods, "p"), method: "GET", url: `${PODS}/p` },
  {
    what: "get of a part, in another namespace",
    call: (client) => client.get(resources.pods, "p", { namespace: "n", subresource: "status" }),
    method: "GET",
    url: "/api/v1/namespaces/n/pods/p/status",
  },
  {
    what: "get of something without a namespace",
    call: (client) => client.get(resources.nodes, "n"),
    method: "GET",
    url: "/api/v1/nodes/n",
  },
  {
    what: "create",
    call: (client) => client.create(resources.pods, pod),
    method: "POST",
    url: PODS,
    type: "application/json",
    body: pod,
  },
  {
    what: "create in the object's own namespace, dry, of an object without its type",
    call: (client) =>
      client.create(
        resources.leases,
        { metadata: { name: "l", namespace: "own" } },
        { namespace: "other", dryRun: true, fieldManager: "me", fieldValidation: "Strict" },
      ),
    method: "POST",
    url: "/apis/coordination.k8s.io/v1/namespaces/own/leases?fieldManager=me&dryRun=All&fieldValidation=Strict",
    type: "application/json",
    body: { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name: "l", namespace: "own" } },
  },
  {
    what: "create of a part",
    call: (client) =>
      client.create(
        resources.pods,
        { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "p" } },
        { subresource: "eviction" },
      ),
    method: "POST",
    url: `${PODS}/p/eviction`,
    type: "application/json",
    body: { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "p" } },
  },
  {
    what: "apply, as fabric8 does it",
    call: (client) => client.apply(resources.pods, pod, { fieldManager: "fabric8", force: true }),
    method: "PATCH",
    url: `${PODS}/p?fieldManager=fabric8&force=true`,
    type: "application/apply-patch+yaml",
    body: pod,
  },
  {
    what: "replace",
    call: (client) => client.replace(resources.pods, pod),
    method: "PUT",
    url: `${PODS}/p`,
    type: "application/json",
    body: pod,
  },
  {
    what: "JSON patch",
    call: (client) => client.patch(resources.pods, "p", "json", [{ op: "test", path: "/a", value: 1 }]),
    method: "PATCH",
    url: `${PODS}/p`,
    type: "application/json-patch+json",
    body: [{ op: "test", path: "/a", value: 1 }],
  },
  {
    what: "merge patch of a part",
    call: (client) =>
      client.patch(resources.statefulsets, "s", "merge", { spec: { replicas: 2 } }, { subresource: "scale" }),
    method: "PATCH",
    url: "/apis/apps/v1/namespaces/default/statefulsets/s/scale",
    type: "application/merge-patch+json",
    body: { spec: { replicas: 2 } },
  },
  {
    what: "strategic merge patch",
    call: (client) => client.patch(resources.pods, "p", "strategic", {}),
    method: "PATCH",
    url: `${PODS}/p`,
    type: "application/strategic-merge-patch+json",
    body: {},
  },
  {
    what: "delete",
    call: (client) =>
      client.delete(resources.pods, "p", {
        gracePeriodSeconds: 0,
        propagationPolicy: "Background",
        preconditions: { uid: "u" },
      }),
    method: "DELETE",
    url: `${PODS}/p`,
    type: "application/json",
    body: {
      apiVersion: "v1",
      kind: "DeleteOptions",
      gracePeriodSeconds: 0,
      propagationPolicy: "Background",
      preconditions: { uid: "u" },
    },
  },
  {
    what: "delete of a collection",
    call: (client) =>
      client.deleteCollection(resources.pods, {
        labelSelector: "spark-app-selector=a,spark-exec-id in (1,2)",
        fieldSelector: "status.phase=Pending",
        propagationPolicy: "Background",
      }),
    method: "DELETE",
    url: `${PODS}?labelSelector=spark-app-selector%3Da%2Cspark-exec-id%20in%20(1%2C2)&fieldSelector=status.phase%3DPending`,
    type: "application/json",
    body: { apiVersion: "v1", kind: "DeleteOptions", propagationPolicy: "Background" },
  },
  {
    what: "any other request",
    call: (client) => client.request({ method: "POST", path: "/apis/example.com/v1/things?x=1", body: { a: 1 } }),
    method: "POST",
    url: "/apis/example.com/v1/things?x=1",
    type: "application/json",
    body: { a: 1 },
  },
];

test.each(calls)("$what", async ({ call, method, url, type, body }) => {
  const stub = await startStub(asAsked);
  await call(testClient(stub.url));
  const [request] = stub.requests;
  expect(stub.requests).toHaveLength(1);
  expect(request).toMatchObject({ method, url });
  expect(request?.headers["content-type"]).toBe(type);
  expect(request?.body).toBe(body === undefined ? "" : JSON.stringify(body));
});

test("names are escaped in paths", async () => {
  const stub = await startStub(asAsked);
  await testClient(stub.url).get(resources.pods, "../../nodes?x");
  expect(stub.requests[0]?.url).toBe(`${PODS}/..%2F..%2Fnodes%3Fx`);
});

test("text goes and comes as UTF-8", async () => {
  const object = { ...pod, metadata: { name: "p", annotations: { note: "größer als 漢字 🎉" } } };
  const stub = await startStub((request, response) =>
    sendJson(response, stored(JSON.parse(request.body) as KubeObjectLike)),
  );
  expect(await testClient(stub.url).create(resources.pods, object)).toEqual(stored(object));
});

describe("an object without a name", () => {
  test.each([
    ["deleted", (client: KubeClient) => client.delete(resources.pods, "")],
    ["applied", (client: KubeClient) => client.apply(resources.pods, {}, { fieldManager: "me" })],
    ["replaced", (client: KubeClient) => client.replace(resources.pods, { metadata: {} })],
  ])("is not %s: nothing is sent, least of all to the whole collection", async (_what, call) => {
    const stub = await startStub((_request, response) => sendJson(response, {}));
    const error = await caught(call(testClient(stub.url)));
    expect(error).toMatchObject({ kind: "config", message: "a Pod without a name cannot be addressed" });
    expect(stub.requests).toHaveLength(0);
  });
});

test("a collection that the server cannot delete as such is deleted one by one", async () => {
  const stub = await startStub((request, response) => {
    if (request.method === "GET") {
      const items = ["a", "b", "c"].map((name) => ({ metadata: { name, namespace: "default" } }));
      sendJson(response, listOf(items, {}, resources.services));
    } else if (request.url.includes("?")) sendStatus(response, 405, "MethodNotAllowed");
    else if (request.url.endsWith("/b")) sendStatus(response, 404, "NotFound");
    else asAsked(request, response);
  });
  await testClient(stub.url).deleteCollection(resources.services, { labelSelector: "x=y", gracePeriodSeconds: 1 });
  const deleted = stub.requests.filter((request) => request.method === "DELETE").slice(1);
  expect(deleted.map((request) => request.url.split("/").at(-1))).toEqual(["a", "b", "c"]);
  expect(JSON.parse(deleted[0]?.body ?? "")).toMatchObject({ gracePeriodSeconds: 1 });
});

describe("the resource type of a kind", () => {
  const list = {
    kind: "APIResourceList",
    apiVersion: "v1",
    resources: [
      { name: "sparkapplications", kind: "SparkApplication", namespaced: true },
      { name: "sparkapplications/status", kind: "SparkApplication", namespaced: true },
      { name: "clusters", kind: "Cluster", namespaced: false },
    ],
  };

  test("is known for built-in kinds without asking", async () => {
    const stub = await startStub((_request, response) => sendStatus(response, 500));
    const client = testClient(stub.url);
    expect(await client.resourceFor("v1", "ConfigMap")).toEqual(resources.configmaps);
    expect(await client.resourceFor("networking.k8s.io/v1", "NetworkPolicy")).toEqual(resources.networkpolicies);
    expect(stub.requests).toHaveLength(0);
  });

  test("is asked for once for others", async () => {
    const stub = await startStub((_request, response) => sendJson(response, list));
    const client = testClient(stub.url);
    const found = await Promise.all([
      client.resourceFor("sparkoperator.k8s.io/v1beta2", "SparkApplication"),
      client.resourceFor("sparkoperator.k8s.io/v1beta2", "Cluster"),
    ]);
    const common = { group: "sparkoperator.k8s.io", version: "v1beta2" };
    expect(found).toEqual<ResourceType[]>([
      { ...common, plural: "sparkapplications", kind: "SparkApplication", namespaced: true },
      { ...common, plural: "clusters", kind: "Cluster", namespaced: false },
    ]);
    expect(stub.requests.map((request) => request.url)).toEqual(["/apis/sparkoperator.k8s.io/v1beta2"]);
  });

  test("that the server does not know is a 404 that says so, and is asked for again later", async () => {
    let isInstalled = false;
    const stub = await startStub((_request, response) => {
      if (isInstalled) sendJson(response, list);
      else sendStatus(response, 404, "NotFound");
    });
    const client = testClient(stub.url);
    const error = await caught(client.resourceFor("example.com/v1", "Cluster"));
    expect(error).toMatchObject({ kind: "status", status: 404 });
    expect(error.message).toBe('GET /apis/example.com/v1: the API server knows no kind "Cluster" in example.com/v1');
    isInstalled = true;
    expect(await client.resourceFor("example.com/v1", "Cluster")).toMatchObject({ plural: "clusters" });
    expect(await caught(client.resourceFor("example.com/v1", "Other"))).toMatchObject({ kind: "status", status: 404 });
  });
});
