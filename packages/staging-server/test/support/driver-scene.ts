import { expect } from "vitest";
import type { BundleStatus } from "@kindling/staging-client";
import { eventually } from "@kindling/test-kit/eventually";
import { apiServerStub, type Impostor } from "./api-server-stub.ts";
import { clusteredServer, collect, DAYS, MINUTES, type ClusteredServer } from "./clustered-server.ts";
import { stage, type StagedBundle } from "./stage.ts";
import { TEST_OWNER, type TestServer } from "./test-server.ts";

/** A server that was ill is asked again after half a minute at the latest. */
export const PATIENCE: { timeout: number } = { timeout: 60_000 };

export interface DriverScene extends ClusteredServer {
  readonly bundle: StagedBundle;
}

/** A server with the bundle of a driver that runs, and that the server has seen; its API server lacks what is unserved. */
export async function runningDriver(unserved: readonly string[] = []): Promise<DriverScene> {
  const clustered = await clusteredServer();
  const { server, api } = clustered;
  for (const part of unserved) api.unserved.add(part);
  const bundle = await stage(server, { a: 10 });
  driverRuns(clustered);
  await collect(server);
  expect(await bundleStatus(server, bundle)).toMatchObject({ state: "used", ownerState: "present" });
  return { ...clustered, bundle };
}

/** Makes the driver pod, or changes it, which open watches are told of. */
function driverRuns({ api }: ClusteredServer): void {
  api.put("default/pods", "drv", { labels: TEST_OWNER.ownerLabels, status: { phase: "Running" } });
}

/** What the server says of a bundle; undefined if it is deleted. */
export async function bundleStatus(server: TestServer, { bundleId }: StagedBundle): Promise<BundleStatus | undefined> {
  const answer = await server.call(`api/v1/bundles/${bundleId}/status`);
  return answer.status === 404 ? undefined : (answer.json as BundleStatus);
}

/** Lets days pass, in which the server looks at its bundles again and again. */
export async function daysPass({ server, clock }: ClusteredServer): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await clock.advance(MINUTES);
    await collect(server);
    await clock.advance(DAYS);
    await collect(server);
  }
}

/** Lets the driver end, as the API server shows it, and expects its bundle to go in good time. */
export async function driverEnds({ server, api, clock, bundle }: DriverScene): Promise<void> {
  api.remove("default/pods", "drv");
  await eventually(async () => expect((await bundleStatus(server, bundle))?.ownerState).toBe("absent"), PATIENCE);
  await collect(server);
  expect((await bundleStatus(server, bundle))?.state).toBe("orphan");
  await clock.advance(11 * MINUTES);
  expect((await collect(server)).bundlesDeleted).toMatchObject([{ reason: "owner-gone" }]);
}

/**
 * Lets something else answer in the API server's place for days. The bundle stays; when the API server is back, it is as
 * if nothing had been.
 *
 * @param impostorOf given what the API server would answer, and what that of another cluster does
 */
export async function outlives(impostorOf: (honest: Impostor, otherCluster: Impostor) => Impostor): Promise<void> {
  const scene = await runningDriver();
  const { server, api, bundle } = scene;
  const before = api.requests.length;
  api.replaceBy(impostorOf(api.answer, (await apiServerStub(5_000_000)).answer));
  await eventually(() => expect(api.requests.length).toBeGreaterThan(before));
  // For those who lie about lists alone.
  api.expire();
  await daysPass(scene);
  expect(await bundleStatus(server, bundle)).toBeDefined();
  api.replaceBy(undefined);
  driverRuns(scene);
  await eventually(async () => {
    // A watch that a liar has sent into the future is told of nothing: the next look at the bundles finds that out.
    await collect(server);
    expect((await bundleStatus(server, bundle))?.ownerState).toBe("present");
  }, PATIENCE);
  await collect(server);
  expect((await bundleStatus(server, bundle))?.state).toBe("used");
  await driverEnds(scene);
}
