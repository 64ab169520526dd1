import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { aPod } from "@kindling/test-kit/a-pod";
import { eventually } from "@kindling/test-kit/eventually";
import { serviceAccountToken } from "@kindling/test-kit/service-account-token";
import { describe, expect, test } from "vitest";
import { boundToken, FakeDriver, names } from "../../support/fake-driver.ts";
import { startTestGateway } from "../../support/test-gateway.ts";

const REVIEWS = "/apis/authentication.k8s.io/v1/tokenreviews";

function reviews(cluster: TestCluster): number {
  return cluster.api.writes.filter(({ path }) => path === REVIEWS).length;
}

describe("who is served", () => {
  test("two applications of one account see and touch nothing of each other", async () => {
    const cluster = await TestCluster.start();
    const gateway = await startTestGateway(cluster);
    const [one, two] = [await FakeDriver.run(cluster, "one"), await FakeDriver.run(cluster, "two")];
    const [first, second] = [one.at(gateway), two.at(gateway)];
    await first.post(one.path("pods"), one.executor(1));
    await one.made("one-exec-1");
    expect(names(await second.get(two.path("pods")))).toEqual(["two"]);
    expect((await second.get(two.path("pods", "one"))).status).toBe(404);
    expect((await second.get(two.path("pods", "one-exec-1"))).status).toBe(404);
    expect((await second.delete(two.path("pods", "one-exec-1"))).status).toBe(404);
    const patch = { metadata: { labels: { "spark-exec-inactive": "true" } } };
    expect((await second.patch(two.path("pods", "one-exec-1"), "merge", patch)).status).toBe(404);
    // It is not possible by a selector that names the other application, or without a selector.
    await second.delete(`${two.path("pods")}?labelSelector=${one.executorSelector}`);
    await second.delete(two.path("pods"));
    await second.delete(`${two.path("services")}?labelSelector=spark-app-selector%3D${one.app}`);
    expect(await one.executorsInCluster()).toEqual(["one-exec-1"]);
    expect(names(await first.get(one.path("pods")))).toEqual(["one", "one-exec-1"]);
    // It is not possible by asking for an object in the other's name.
    const disguised = {
      ...two.executor(1),
      metadata: { ...two.executor(1).metadata, labels: one.executor(1).metadata?.labels },
    };
    expect(await second.post(two.path("pods"), disguised)).toMatchObject({ status: 403 });
    const owned = {
      ...two.executor(2),
      metadata: { ...two.executor(2).metadata, ownerReferences: one.executor(1).metadata?.ownerReferences },
    };
    expect(await second.post(two.path("pods"), owned)).toMatchObject({ status: 403 });
    expect(await second.post(two.path("pods"), two.executor(1, { name: "one-exec-1" }))).toMatchObject({ status: 403 });
  });

  test("tokens that are forged, unbound, of another audience or of no driver are refused, and few are asked about", async () => {
    const cluster = await TestCluster.start();
    const gateway = await startTestGateway(cluster);
    const driver = await FakeDriver.run(cluster, "drv");
    const other = await cluster.createPod(aPod("web").in("spark-jobs").spec({ serviceAccountName: "spark" }).build());
    const claims = { "kubernetes.io": { namespace: "spark-jobs", pod: { name: "drv", uid: driver.uid } } };
    const base = { namespace: "spark-jobs", account: "spark", audiences: ["kindling-gateway"] };
    const cases: [string, string | null, number, RegExp, number][] = [
      ["none", null, 401, /no bearer token/, 0],
      ["opaque", "abc", 401, /no token of a pod/, 0],
      ["not bound to a pod", serviceAccountToken(base), 401, /no token of a pod/, 0],
      [
        "for the API server",
        await boundToken(cluster, driver.pod, "https://kubernetes.default.svc"),
        401,
        /not for kindling-gateway alone/,
        0,
      ],
      ["expired long ago", serviceAccountToken({ ...base, claims, lifeSeconds: -3600 }), 401, /expired/, 0],
      [
        "expired, if clocks agree",
        serviceAccountToken({ ...base, claims, lifeSeconds: -1 }),
        401,
        /does not accept/,
        1,
      ],
      ["of a pod that is no driver", await boundToken(cluster, other), 403, /pod spark-jobs\/web is not there/, 0],
      ["forged", serviceAccountToken({ ...base, claims }), 401, /does not accept/, 1],
    ];
    for (const [what, token, status, message, asked] of cases) {
      const before = reviews(cluster);
      const answer = await driver.at(gateway, token).get(driver.path("pods", "drv"));
      expect(answer.status, what).toBe(status);
      expect(answer.body, what).toMatchObject({
        kind: "Status",
        status: "Failure",
        message: expect.stringMatching(message) as string,
      });
      expect(reviews(cluster) - before, what).toBe(asked);
    }
    expect(gateway.lines.join("")).not.toContain(driver.token);
  });

  test("a token is worth nothing as soon as its pod is gone or has ended, whatever was said of it before", async () => {
    const cluster = await TestCluster.start();
    const gateway = await startTestGateway(cluster);
    const [gone, ended] = [await FakeDriver.run(cluster, "gone"), await FakeDriver.run(cluster, "ended")];
    for (const driver of [gone, ended]) expect((await driver.at(gateway).get(driver.path("pods"))).status).toBe(200);
    await cluster.delete(gone.pod, { gracePeriodSeconds: 0 });
    cluster.end(ended.pod, 1);
    await eventually(async () => {
      expect((await gone.at(gateway).get(gone.path("pods"))).body).toMatchObject({
        code: 403,
        message: expect.stringMatching(/is not there/) as string,
      });
      expect((await ended.at(gateway).get(ended.path("pods"))).body).toMatchObject({
        code: 403,
        message: expect.stringMatching(/has ended/) as string,
      });
    });
  });

  test("a driver that asks before the gateway's watch has shown its pod is served as soon as it is shown", async () => {
    const cluster = await TestCluster.start();
    const gateway = await startTestGateway(cluster);
    const show = cluster.devCluster.faults.dropWatchEvents(({ name }) => name === "drv");
    const driver = await FakeDriver.run(cluster, "drv");
    const answer = driver.at(gateway).get(driver.path("pods"));
    await eventually(() => expect(cluster.api.requests.map(({ path }) => path)).toContain("/openid/v1/jwks"));
    show();
    await cluster.send("PATCH", driver.path("pods", "drv"), { metadata: { annotations: { shown: "now" } } });
    expect((await answer).status).toBe(200);
  });

  test("the API server is asked once about a token", async () => {
    const cluster = await TestCluster.start();
    const gateway = await startTestGateway(cluster);
    const driver = await FakeDriver.run(cluster, "drv");
    const client = driver.at(gateway);
    await Promise.all([1, 2, 3, 4].map(() => client.get(driver.path("pods"))));
    await client.get(driver.path("pods"));
    expect(reviews(cluster)).toBe(1);
    const reads = cluster.api.requests.filter(({ method, query }) => method === "GET" && query.get("watch") === null);
    expect(reads.map(({ path }) => path).sort()).toEqual([
      "/api/v1/persistentvolumeclaims",
      "/api/v1/pods",
      "/api/v1/resourcequotas",
      "/apis/apps/v1/deployments",
      "/apis/apps/v1/statefulsets",
      "/openid/v1/jwks",
    ]);
  });
});

describe("what a driver may not ask for", () => {
  test("other namespaces, other resources, parts of objects", async () => {
    const cluster = await TestCluster.start();
    const gateway = await startTestGateway(cluster);
    const driver = await FakeDriver.run(cluster, "drv");
    const client = driver.at(gateway);
    const forbidden: [string, string][] = [
      ["GET", driver.path("secrets")],
      ["GET", "/api/v1/pods"],
      ["GET", "/api/v1/nodes"],
      ["GET", "/api/v1/namespaces/elsewhere/pods"],
      ["GET", "/apis/apps/v1/namespaces/spark-jobs/deployments"],
      ["GET", driver.path("pods", "drv/log")],
      ["POST", driver.path("pods", "drv/exec")],
      ["PUT", driver.path("pods", "drv")],
      ["PATCH", driver.path("pods", "drv/status")],
      ["DELETE", driver.path("pods", "drv")],
      ["GET", driver.path("services")],
      ["GET", "/openapi/v2"],
    ];
    for (const [method, path] of forbidden) {
      const answer = await client.request(method, path, method === "GET" ? undefined : "{}");
      expect(answer.body, `${method} ${path}`).toMatchObject({ kind: "Status", code: 403, reason: "Forbidden" });
    }
    expect((await client.get("/version")).body).toMatchObject({ major: "1" });
    expect((await client.get(`${driver.path("pods")}?labelSelector=a%20b%20c`)).status).toBe(400);
    expect((await client.post(driver.path("pods"), "{")).status).toBe(400);
    expect((await client.post(driver.path("pods"), `"${"x".repeat(3 * 1024 * 1024)}"`)).status).toBe(413);
    expect(cluster.api.writes.map(({ path }) => path)).toEqual([REVIEWS]);
  });
});
