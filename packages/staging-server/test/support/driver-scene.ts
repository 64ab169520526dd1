import { expect } from "vitest";
import type { BundleStatus, OwnerState, StagedResourcesOwner } from "@kindling/staging-client";
import { eventually } from "@kindling/test-kit/eventually";
import type { Pod } from "kubernetes-types/core/v1.js";
import { clusteredServer, collect, DAYS, MINUTES, type ClusteredServer } from "./clustered-server.ts";
import { driverPod, removePod } from "./driver-pod.ts";
import { replaceApiServer, restoreApiServer, type Impostor } from "./impostor.ts";
import { stage, type StagedBundle } from "./stage.ts";
import { TEST_OWNER, type TestServer } from "./test-server.ts";

/** After a failure of the API server, the next try comes after half a minute at most. */
export const PATIENCE: { timeout: number } = { timeout: 60_000 };

/** Unlike `default`, this namespace can be deleted. */
export const DRIVER_NAMESPACE = "spark-jobs";
const OWNER: StagedResourcesOwner = { ...TEST_OWNER, ownerNamespace: DRIVER_NAMESPACE };

export interface DriverScene extends ClusteredServer {
  readonly bundle: StagedBundle;
  readonly driver: Pod;
}

/**
 * A server with the bundle of a running driver that the server has seen. Its API server does not serve the paths in
 * `unserved`.
 */
export async function runningDriver(unserved: readonly string[] = []): Promise<DriverScene> {
  const clustered = await clusteredServer();
  const { server, cluster } = clustered;
  cluster.api.fault = ({ path }) =>
    unserved.some((part) => path.includes(part))
      ? { kind: "instead", status: 404, text: "404 page not found" }
      : undefined;
  const bundle = await stage(server, { a: 10 }, OWNER);
  const driver = driverPod({ namespace: DRIVER_NAMESPACE });
  await cluster.createPod(driver);
  await collect(server);
  expect(await bundleStatus(server, bundle)).toMatchObject({ state: "used", ownerState: "present" });
  return { ...clustered, bundle, driver };
}

export function pathOf({ metadata: { namespace, name } = {} }: Pod): string {
  return `/api/v1/namespaces/${namespace}/pods/${name}`;
}

/** The status of a bundle at the server; undefined if it is deleted. */
export async function bundleStatus(server: TestServer, { bundleId }: StagedBundle): Promise<BundleStatus | undefined> {
  const answer = await server.call(`api/v1/bundles/${bundleId}/status`);
  return answer.status === 404 ? undefined : (answer.json as BundleStatus);
}

/** Waits until the server shows this state of the driver. */
export async function shows({ server, bundle }: DriverScene, state: OwnerState): Promise<void> {
  await eventually(async () => expect((await bundleStatus(server, bundle))?.ownerState).toBe(state), PATIENCE);
}

/** Lets a day pass, in which the server checks its bundles again and again: no lifetime is longer than an hour. */
export async function aDayPasses({ server, clock }: ClusteredServer): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await clock.advance(MINUTES);
    await collect(server);
    await clock.advance(DAYS / 3);
    await collect(server);
  }
}

/** Ends the driver at the API server, and expects that its bundle is deleted in time. */
export async function driverEnds(scene: DriverScene): Promise<void> {
  const { server, cluster, clock, bundle, driver } = scene;
  await removePod(cluster, driver);
  await shows(scene, "absent");
  await collect(server);
  expect((await bundleStatus(server, bundle))?.state).toBe("orphan");
  await clock.advance(11 * MINUTES);
  expect((await collect(server)).bundlesDeleted).toMatchObject([{ reason: "owner-gone" }]);
}

/**
 * Lets something else answer in the API server's place for a day. The bundle must stay, and afterwards all must work as
 * before.
 */
export async function outlives(impostor: Impostor): Promise<void> {
  const scene = await runningDriver();
  const { server, cluster, bundle, driver } = scene;
  const before = cluster.api.requests.length;
  await replaceApiServer(cluster, impostor);
  await eventually(() => expect(cluster.api.requests.length).toBeGreaterThan(before));
  await aDayPasses(scene);
  expect(await bundleStatus(server, bundle)).toBeDefined();
  restoreApiServer(cluster);
  await cluster.send("PATCH", pathOf(driver), { metadata: { annotations: { changed: "now" } } });
  await eventually(async () => {
    // A watch with a resource version from the future gets no events: the next check of the bundles finds that out.
    await collect(server);
    expect((await bundleStatus(server, bundle))?.ownerState).toBe("present");
  }, PATIENCE);
  await collect(server);
  expect((await bundleStatus(server, bundle))?.state).toBe("used");
  await driverEnds(scene);
}
