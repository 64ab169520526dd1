import { describe, expect, it } from "vitest";
import type { SeenRequest } from "@kindling/test-kit/api-recorder";
import { eventually } from "@kindling/test-kit/eventually";
import { clusteredServer, collect, MINUTES } from "../support/clustered-server.ts";
import { removeNamespace, removePod } from "../support/driver-pod.ts";
import {
  bundleStatus,
  aDayPasses,
  driverEnds,
  DRIVER_NAMESPACE,
  PATIENCE,
  pathOf,
  runningDriver,
  shows,
} from "../support/driver-scene.ts";
import { stage } from "../support/stage.ts";

/** The positions of these requests among all requests. */
function places(requests: readonly SeenRequest[], isWanted: (request: SeenRequest) => boolean): number[] {
  return requests.flatMap((request, index) => (isWanted(request) ? [index] : []));
}

it("asks for the driver pod by its name, twice, and each time who answers, before a bundle goes", async () => {
  const scene = await runningDriver();
  await driverEnds(scene);
  const { requests } = scene.cluster.api;
  const asked = places(requests, ({ method, path }) => method === "GET" && path === pathOf(scene.driver));
  expect(asked).toHaveLength(2);
  const [first = 0, second = 0] = asked;
  const reviewed = places(requests, ({ path }) => path.endsWith("/selfsubjectreviews"));
  for (const place of [first, second]) {
    expect(reviewed.some((index) => index < place)).toBe(true);
    expect(reviewed.some((index) => index > place)).toBe(true);
  }
  expect(reviewed.some((index) => index > first && index < second)).toBe(true);
});

it("asks about any number of drivers that it has never seen with one list of their namespace", async () => {
  const { server, cluster } = await clusteredServer();
  for (let index = 0; index < 5; index++) await stage(server, { a: index });
  await collect(server);
  const lists = cluster.api.requests.filter(({ path, query }) => path.endsWith("/pods") && query.has("limit"));
  // The first list is that of the watch.
  expect(lists).toHaveLength(2);
});

it("does not take two answers for two that come one upon the other", async () => {
  const { server, clock } = await clusteredServer();
  const bundle = await stage(server, { a: 10 });
  await clock.advance(31 * MINUTES);
  for (let round = 0; round < 3; round++) expect((await collect(server)).bundlesDeleted).toEqual([]);
  expect(await bundleStatus(server, bundle)).toMatchObject({ state: "unused", expiresIn: 0 });
  await clock.advance(10_000);
  expect((await collect(server)).bundlesDeleted).toMatchObject([{ reason: "unused" }]);
});

it("asks twice anew when the driver was there in between", async () => {
  const scene = await runningDriver();
  const { server, cluster, clock, bundle, driver } = scene;
  await removePod(cluster, driver);
  await shows(scene, "absent");
  await collect(server);
  await cluster.createPod(driver);
  await shows(scene, "present");
  await collect(server);
  await clock.advance(11 * MINUTES);
  await collect(server);
  expect((await bundleStatus(server, bundle))?.state).toBe("used");
});

it("keeps the bundle of a pod whose labels were taken away: it runs on", async () => {
  const scene = await runningDriver();
  const { server, cluster, bundle, driver } = scene;
  // A watch that selects by label sees the pod as deleted.
  await cluster.send("PATCH", pathOf(driver), { metadata: { labels: null } });
  await shows(scene, "absent");
  await aDayPasses(scene);
  expect((await bundleStatus(server, bundle))?.state).toBe("used");
});

it("drops the bundles of a namespace that is gone, with the Role that let it be listed", async () => {
  const scene = await runningDriver();
  const { server, cluster, clock, bundle } = scene;
  await scene.revoke(DRIVER_NAMESPACE);
  cluster.api.breakConnections();
  await shows(scene, "unknown");
  await aDayPasses(scene);
  expect((await bundleStatus(server, bundle))?.state).toBe("used");
  await removeNamespace(cluster, DRIVER_NAMESPACE);
  await eventually(async () => {
    await collect(server);
    expect((await bundleStatus(server, bundle))?.state).toBe("orphan");
  }, PATIENCE);
  await clock.advance(11 * MINUTES);
  expect((await collect(server)).bundlesDeleted).toMatchObject([{ reason: "owner-gone" }]);
});

it("asks for the namespace when the pod may not be asked for any longer, though the watch is still open", async () => {
  const scene = await runningDriver();
  const { server, cluster, clock, bundle, driver } = scene;
  await removePod(cluster, driver);
  await shows(scene, "absent");
  await scene.revoke(DRIVER_NAMESPACE);
  await collect(server);
  expect((await bundleStatus(server, bundle))?.state).toBe("used");
  await removeNamespace(cluster, DRIVER_NAMESPACE);
  await collect(server);
  expect((await bundleStatus(server, bundle))?.state).toBe("orphan");
  await clock.advance(11 * MINUTES);
  expect((await collect(server)).bundlesDeleted).toMatchObject([{ reason: "owner-gone" }]);
});

describe("an API server proves itself by", () => {
  it.each([
    ["a review of who asks, alone", ["kube-system"]],
    ["a review of what may be done, where it is older", ["kube-system", "selfsubjectreviews"]],
    ["its version, where it is older still", ["kube-system", "selfsubjectreviews", "selfsubjectaccessreviews"]],
    ["the uid of its own namespace", ["selfsubjectreviews", "selfsubjectaccessreviews", "/version"]],
  ])("%s", async (_what, unserved) => {
    const scene = await runningDriver(unserved);
    await expect(driverEnds(scene)).resolves.toBeUndefined();
  });

  it("something, or nothing is deleted", async () => {
    const scene = await runningDriver(["kube-system", "selfsubjectreviews", "selfsubjectaccessreviews", "/version"]);
    const { server, cluster, bundle, driver } = scene;
    await removePod(cluster, driver);
    await shows(scene, "absent");
    await aDayPasses(scene);
    expect((await bundleStatus(server, bundle))?.state).toBe("used");
    expect(server.logLines.some((line) => line.includes("owners cannot be watched"))).toBe(true);
  });
});
