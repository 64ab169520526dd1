import { TestCluster } from "@kindling/test-cluster/test-cluster";
import type { Fault, SeenRequest } from "@kindling/test-kit/api-recorder";
import { eventually } from "@kindling/test-kit/eventually";
import { someRounds } from "@kindling/test-kit/rounds";
import { expect, test } from "vitest";
import { ALL_OWNED, belongings, PATIENCE, restartable, runs, submit } from "../../support/restartable.ts";
import { startTestGateway } from "../../support/test-gateway.ts";

/**
 * The writes of a gateway for one restart: the annotation, the stand-in, three new owners, the deletion and its finalizer,
 * the pod, its gate, three new owners, the deletion of the stand-in, an event.
 */
const WRITES = 14;
const POINTS = Array.from({ length: WRITES }, (_, index) => index + 1);

/** From the n-th write on, no request of the gateway arrives; of the n-th write perhaps only the answer is lost. */
function deadFrom(
  count: number,
  carriedOut: boolean,
  onDeath: () => void,
): (request: SeenRequest) => Fault | undefined {
  let writes = 0;
  return ({ method }) => {
    if (method !== "GET") writes += 1;
    if (writes < count) return undefined;
    const isLast = writes === count && method !== "GET";
    if (isLast) onDeath();
    return { kind: "reset", carriedOut: isLast && carriedOut };
  };
}

/** Kills a gateway during a write of a restart: the next gateway completes the restart, and there is one driver. */
async function survives(point: number, carriedOut: boolean): Promise<void> {
  const cluster = await TestCluster.start();
  const first = await startTestGateway(cluster);
  const driver = await submit(cluster, restartable({ backoff: 1 }));
  let isDead = false;
  cluster.api.fault = deadFrom(point, carriedOut, () => (isDead = true));
  cluster.end(driver, 1);
  await eventually(() => expect(isDead).toBe(true));
  await first.stop();
  cluster.api.fault = () => undefined;

  await startTestGateway(cluster);
  const next = await runs(cluster, 1);
  await expect.poll(() => belongings(cluster), PATIENCE).toEqual(ALL_OWNED);
  expect(next.metadata?.annotations).toMatchObject({
    "scheduler.kindling/restarts": "1",
    "scheduler.kindling/restart-of": driver.metadata?.uid,
  });
  await cluster.delete(next);
  await expect.poll(() => belongings(cluster), PATIENCE).toEqual([]);
}

// A restart waits for a second anyway. So both cases run at once: the write was carried out, and it was not.
test.each(someRounds("the writes of a restart", POINTS))(
  "a gateway that is killed with the %i. write of a restart under way: the next one ends it, and there is one driver",
  async (point) => {
    const trial = (carriedOut: boolean): Promise<void> =>
      survives(point, carriedOut).catch((error: unknown) => {
        throw new Error(`the write was ${carriedOut ? "" : "not "}carried out`, { cause: error });
      });
    expect(await Promise.all([trial(true), trial(false)])).toEqual([undefined, undefined]);
  },
);
