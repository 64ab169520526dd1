import { describe, expect, test } from "vitest";
import { eventually } from "../../src/conformance/eventually.ts";
import { leadWhileElected, type KubeError, type LeadershipEnd } from "../../src/index.ts";
import { fastClock } from "@kindling/test-kit/fast-clock";
import { startLeaseServer, type LeaseServer } from "../fixtures/lease-server.ts";
import { testClient } from "../fixtures/test-client.ts";

interface Candidacy {
  readonly end: Promise<LeadershipEnd>;
  readonly isLeading: () => boolean;
  readonly stop: () => void;
  readonly leaders: string[];
  readonly errors: KubeError[];
}

/** A candidate that works until it is told to stop. Its clock runs so many times as fast as the machine's. */
function run(server: LeaseServer, identity: string, work?: () => Promise<void>, factor = 10): Candidacy {
  const controller = new AbortController();
  const leaders: string[] = [];
  const errors: KubeError[] = [];
  let isLeading = false;
  const untilAborted = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  const end = leadWhileElected(
    testClient(server.url, { retry: { limit: 0 } }),
    {
      name: "lock",
      identity,
      clock: fastClock(factor),
      onLeader: (leader) => leaders.push(leader),
      onError: (error) => errors.push(error),
    },
    async (signal) => {
      isLeading = true;
      await (work?.() ?? untilAborted(signal));
      isLeading = false;
    },
    controller.signal,
  );
  return { end, isLeading: () => isLeading, stop: () => controller.abort(), leaders, errors };
}

describe("leader election", () => {
  test("lets one lead, and the next when that one stops", async () => {
    const server = await startLeaseServer();
    const first = run(server, "first");
    await eventually("the first leads", first.isLeading);
    const second = run(server, "second");
    await eventually("the second knows", () => second.leaders.includes("first"));
    expect(second.isLeading()).toBe(false);
    first.stop();
    expect(await first.end).toBe("stopped");
    await eventually("the second leads", second.isLeading);
    expect(server.holders()).toEqual(["first", "second"]);
    second.stop();
    await second.end;
    expect(await server.holder()).toBeUndefined();
  });

  test("lets only one of many win", async () => {
    const server = await startLeaseServer();
    const candidates = ["a", "b", "c", "d", "e"].map((identity) => run(server, identity));
    await eventually("one leads", () => candidates.some((one) => one.isLeading()));
    await eventually("all know who", () => candidates.every((one) => one.leaders.length > 0));
    expect(candidates.filter((one) => one.isLeading())).toHaveLength(1);
    expect(new Set(candidates.flatMap((one) => one.leaders)).size).toBe(1);
    for (const one of candidates) one.stop();
    await Promise.all(candidates.map((one) => one.end));
  });

  test("keeps the lease while the work goes on, longer than the lease lasts", async () => {
    const server = await startLeaseServer();
    const leader = run(server, "leader");
    await eventually("it leads", leader.isLeading);
    const rival = run(server, "rival");
    await eventually("it has renewed often", () => server.requests.filter((one) => one.method === "PUT").length > 9);
    expect(leader.isLeading()).toBe(true);
    expect(rival.isLeading()).toBe(false);
    leader.stop();
    rival.stop();
    await Promise.all([leader.end, rival.end]);
  });

  test("takes a lease over whose holder has died, only after it has run out", async () => {
    const server = await startLeaseServer();
    const client = testClient(server.url);
    const lease = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name: "lock" } };
    const spec = { holderIdentity: "dead", leaseDurationSeconds: 15, renewTime: "2020-01-01T00:00:00.000000Z" };
    await client.request({
      method: "POST",
      path: "/apis/coordination.k8s.io/v1/namespaces/default/leases",
      body: { ...lease, spec },
    });
    const start = performance.now();
    const next = run(server, "next");
    await eventually("the next leads", next.isLeading);
    // The old renewTime does not count, because clocks differ. Only fifteen seconds without a renewal count.
    expect(performance.now() - start).toBeGreaterThan(1400);
    next.stop();
    await next.end;
  });

  test("ends the work when the lease cannot be renewed, before anyone else may lead", async () => {
    const server = await startLeaseServer();
    // Slow enough that a busy machine does not lose the lease.
    const leader = run(server, "leader", undefined, 2);
    await eventually("it leads", leader.isLeading);
    const recover = server.fallIll();
    expect(await leader.end).toBe("lost");
    expect(leader.isLeading()).toBe(false);
    expect(leader.errors.length).toBeGreaterThan(0);
    recover();
    expect(await server.holder()).toBe("leader");
  });

  test("survives a server that is ill for a moment", async () => {
    const server = await startLeaseServer();
    const leader = run(server, "leader");
    await eventually("it leads", leader.isLeading);
    const recover = server.fallIll();
    await eventually("a renewal failed", () => leader.errors.length > 0);
    recover();
    const renewals = server.requests.length;
    await eventually("it renews again", () => server.requests.length > renewals + 1);
    expect(leader.isLeading()).toBe(true);
    leader.stop();
    expect(await leader.end).toBe("stopped");
  });

  test("ends when the work is finished, and gives the lease back", async () => {
    const server = await startLeaseServer();
    expect(await run(server, "leader", () => Promise.resolve()).end).toBe("finished");
    expect(await server.holder()).toBeUndefined();
  });

  test("passes on what the work throws, and gives the lease back", async () => {
    const server = await startLeaseServer();
    const bug = new Error("a bug in the work");
    await expect(run(server, "leader", () => Promise.reject(bug)).end).rejects.toBe(bug);
    expect(await server.holder()).toBeUndefined();
  });

  test("that is stopped before it leads never starts the work", async () => {
    const server = await startLeaseServer();
    server.fallIll();
    const candidate = run(server, "candidate");
    await eventually("it tried", () => candidate.errors.length > 0);
    candidate.stop();
    expect(await candidate.end).toBe("stopped");
    expect(candidate.isLeading()).toBe(false);
  });
});
