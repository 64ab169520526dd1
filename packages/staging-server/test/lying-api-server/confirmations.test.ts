import { describe, expect, it } from "vitest";
import { eventually } from "@kindling/test-kit/eventually";
import { clusteredServer, collect, MINUTES } from "../support/clustered-server.ts";
import { bundleStatus, daysPass, driverEnds, PATIENCE, runningDriver } from "../support/driver-scene.ts";
import { stage } from "../support/stage.ts";
import { TEST_OWNER } from "../support/test-server.ts";

const LABELS = TEST_OWNER.ownerLabels;
const POD = "/api/v1/namespaces/default/pods/drv";

function count(requests: readonly string[], request: string): number {
  return requests.filter((one) => one === request).length;
}

it("asks for the driver pod by its name, twice, and each time who answers, before a bundle goes", async () => {
  const scene = await runningDriver();
  await driverEnds(scene);
  const { requests } = scene.api;
  expect(count(requests, `GET ${POD}`)).toBe(2);
  const [first, second] = requests.flatMap((request, index) => (request === `GET ${POD}` ? [index] : []));
  const reviewed = requests.flatMap((request, index) => (request.endsWith("/selfsubjectreviews") ? [index] : []));
  for (const asked of [first ?? 0, second ?? 0]) {
    expect(reviewed.some((index) => index < asked)).toBe(true);
    expect(reviewed.some((index) => index > asked)).toBe(true);
  }
  expect(reviewed.some((index) => index > (first ?? 0) && index < (second ?? 0))).toBe(true);
});

it("asks about any number of drivers that it has never seen with one list of their namespace", async () => {
  const { server, api } = await clusteredServer();
  for (let index = 0; index < 5; index++) await stage(server, { a: index });
  await collect(server);
  const lists = api.requests.filter((request) => /^GET .*\/pods\?limit/.test(request));
  // The first is the watch's own.
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
  const { server, api, clock, bundle } = await runningDriver();
  const shows = (state: string): Promise<void> =>
    eventually(async () => expect((await bundleStatus(server, bundle))?.ownerState).toBe(state), PATIENCE);
  api.remove("default/pods", "drv");
  await shows("absent");
  await collect(server);
  api.put("default/pods", "drv", { labels: LABELS, status: { phase: "Running" } });
  await shows("present");
  await collect(server);
  await clock.advance(11 * MINUTES);
  await collect(server);
  expect((await bundleStatus(server, bundle))?.state).toBe("used");
});

it("keeps the bundle of a pod whose labels were taken away: it runs on", async () => {
  const scene = await runningDriver();
  const { server, api, bundle } = scene;
  // A watch that selects by label is told that the pod is gone.
  api.put("default/pods", "drv", { labels: {}, status: { phase: "Running" } });
  await eventually(async () => expect((await bundleStatus(server, bundle))?.ownerState).toBe("absent"), PATIENCE);
  await daysPass(scene);
  expect((await bundleStatus(server, bundle))?.state).toBe("used");
});

it("drops the bundles of a namespace that is gone, with the Role that let it be listed", async () => {
  const scene = await runningDriver();
  const { server, api, clock, bundle } = scene;
  api.forbid("default/pods");
  await eventually(async () => expect((await bundleStatus(server, bundle))?.ownerState).toBe("unknown"), PATIENCE);
  await daysPass(scene);
  expect((await bundleStatus(server, bundle))?.state).toBe("used");
  api.missingNamespaces.add("default");
  await eventually(async () => {
    await collect(server);
    expect((await bundleStatus(server, bundle))?.state).toBe("orphan");
  }, PATIENCE);
  await clock.advance(11 * MINUTES);
  expect((await collect(server)).bundlesDeleted).toMatchObject([{ reason: "owner-gone" }]);
});

it("asks for the namespace when the pod may not be asked for any longer, though the watch is still open", async () => {
  const { server, api, clock, bundle } = await runningDriver();
  api.remove("default/pods", "drv");
  await eventually(async () => expect((await bundleStatus(server, bundle))?.ownerState).toBe("absent"), PATIENCE);
  api.refused.add("default/pods");
  await collect(server);
  expect((await bundleStatus(server, bundle))?.state).toBe("used");
  api.missingNamespaces.add("default");
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
    const scene = await runningDriver([...unserved]);
    await expect(driverEnds(scene)).resolves.toBeUndefined();
  });

  it("something, or nothing is deleted", async () => {
    const scene = await runningDriver(["kube-system", "selfsubjectreviews", "selfsubjectaccessreviews", "/version"]);
    const { server, api, bundle } = scene;
    api.remove("default/pods", "drv");
    await eventually(async () => expect((await bundleStatus(server, bundle))?.ownerState).toBe("absent"), PATIENCE);
    await daysPass(scene);
    expect((await bundleStatus(server, bundle))?.state).toBe("used");
    expect(server.logLines.some((line) => line.includes("owners cannot be watched"))).toBe(true);
  });
});
