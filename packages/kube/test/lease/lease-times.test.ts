import { type Clock, ManualClock } from "@kindling/outside";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { eventually } from "@kindling/test-kit/eventually";
import { expect, test } from "vitest";
import { type LeadershipEnd, leadWhileElected } from "../../src/index.ts";
import { testClient } from "../fixtures/test-client.ts";

interface Leader {
  readonly end: Promise<LeadershipEnd>;
  readonly stop: () => void;
  /** Whether it works. (`isHeld` says whether it is certain to hold the lease.) */
  isWorking: boolean;
  isHeld: () => boolean;
  /** How often it has begun to wait for the next renewal. */
  rests: number;
}

function run(cluster: TestCluster, identity: string, clock: Clock): Leader {
  const stopping = new AbortController();
  const counting: Clock = {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    after(milliseconds, callback) {
      if (milliseconds === 2_000) leader.rests += 1;
      return clock.after(milliseconds, callback);
    },
  };
  const end = leadWhileElected(
    testClient(cluster.url, { retry: { limit: 0 } }),
    { name: "lock", identity, clock: counting, random: () => 0 },
    async (signal, isHeld) => {
      Object.assign(leader, { isWorking: true, isHeld });
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
      leader.isWorking = false;
    },
    stopping.signal,
  );
  const leader: Leader = { end, stop: () => stopping.abort(), isWorking: false, isHeld: () => false, rests: 0 };
  return leader;
}

test("a renewal counts from when it was asked for, however late its answer comes", async () => {
  const cluster = await TestCluster.start();
  const clock = new ManualClock();
  const leader = run(cluster, "leader", clock);
  await eventually(() => expect(leader.rests).toBe(1));
  let answer: () => void = () => undefined;
  const until = new Promise<void>((resolve) => (answer = resolve));
  cluster.api.fault = ({ method }) => (method === "PUT" ? { kind: "wait", until } : undefined);
  await clock.advance(2_000);
  await eventually(() => expect(cluster.api.requests.at(-1)?.method).toBe("PUT"));
  await clock.advance(7_000);
  expect(leader.isHeld()).toBe(true);
  answer();
  await eventually(() => expect(leader.rests).toBe(2));
  cluster.api.fault = () => ({ kind: "status", status: 503 });
  // Nine seconds have passed, and the last renewal was requested after two seconds.
  clock.advanceAtOnce(2_999);
  expect(leader.isHeld()).toBe(true);
  clock.advanceAtOnce(1);
  expect(leader.isHeld()).toBe(false);
  await clock.advance(10_000);
  expect(await leader.end).toBe("lost");
});

test("a process that was stopped for a while knows at once that its lease may be another's", async () => {
  const cluster = await TestCluster.start();
  const clock = new ManualClock();
  const leader = run(cluster, "leader", clock);
  await eventually(() => expect(leader.rests).toBe(1));
  clock.advanceAtOnce(60_000);
  expect([leader.isWorking, leader.isHeld()]).toEqual([true, false]);
  expect(await leader.end).toBe("lost");
  expect(cluster.api.writes.map(({ method }) => method)).toEqual(["POST"]);
});

test("whatever the clock on the wall says, a lease lasts as long as it lasts", async () => {
  const cluster = await TestCluster.start();
  const clock = new ManualClock();
  const leader = run(cluster, "leader", clock);
  await eventually(() => expect(leader.rests).toBe(1));
  let jump = 0;
  const jumping: Clock = {
    now: () => clock.now() + jump,
    monotonic: () => clock.monotonic(),
    after: (milliseconds, callback) => clock.after(milliseconds, callback),
  };
  const rival = run(cluster, "rival", jumping);
  await eventually(() => expect(rival.rests).toBe(1));
  jump = 3_600_000;
  for (let second = 0; second < 6; second += 2) {
    const [before, rests] = [leader.rests, rival.rests];
    await clock.advance(2_000);
    await eventually(() => expect([leader.rests, rival.rests]).toEqual([before + 1, rests + 1]));
  }
  expect([leader.isWorking, rival.isWorking]).toEqual([true, false]);
  rival.stop();
  leader.stop();
  expect([await leader.end, await rival.end]).toEqual(["stopped", "stopped"]);
});
