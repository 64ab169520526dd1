import { ManualClock } from "@kindling/outside";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { eventually } from "@kindling/test-kit/eventually";
import type { Pod } from "kubernetes-types/core/v1.js";
import { expect, test } from "vitest";
import { PODS, restartable, runs, submit } from "../../support/restartable.ts";
import { startTestGateway } from "../../support/test-gateway.ts";

const RESTART_AT = "scheduler.kindling/restart-at";

/** When an ended driver is to be restarted, in milliseconds since the epoch. */
async function scheduled(cluster: TestCluster): Promise<number> {
  return await eventually(async () => {
    const { metadata } = (await cluster.send("GET", `${PODS}/drv`)) as Pod;
    const at = Date.parse(metadata?.annotations?.[RESTART_AT] ?? "");
    if (Number.isNaN(at)) throw new Error("no restart is planned");
    return at;
  });
}

test("a driver is started again when its pause is over, also if the gateway is another one by then", async () => {
  const cluster = await TestCluster.start();
  const clock = new ManualClock(Date.now());
  const first = await startTestGateway(cluster, { clock });
  let ticking = setInterval(() => void clock.advance(100), 20);
  const driver = await submit(cluster, restartable({ backoff: 60 }));
  clearInterval(ticking);
  cluster.end(driver, 1);
  const at = await scheduled(cluster);
  expect(at).toBeGreaterThan(clock.now());
  expect(at).toBeLessThanOrEqual(clock.now() + 60_000);
  await clock.advance(at - clock.now() - 1_000);
  await first.stop();

  const second = await startTestGateway(cluster, { clock });
  await clock.advance(900);
  expect(await scheduled(cluster)).toBe(at);
  expect(((await cluster.send("GET", `${PODS}/drv`)) as Pod).metadata?.uid).toBe(driver.metadata?.uid);
  await clock.advance(100);
  // Until its gate is open.
  ticking = setInterval(() => void clock.advance(100), 20);
  const next = await runs(cluster, 1);
  clearInterval(ticking);

  // The second pause is twice as long, by the clock of the pod.
  cluster.end(next, 1);
  expect(await scheduled(cluster)).toBeGreaterThan(Date.now() + 90_000);
  expect(second.lines.some((line) => line.includes("a driver is started again"))).toBe(true);
});
