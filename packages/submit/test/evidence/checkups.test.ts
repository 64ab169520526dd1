import { podState, type Diagnosis } from "@kindling/diagnosis";
import { ManualClock } from "@kindling/outside";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { aPod } from "@kindling/test-kit/a-pod";
import { expect, onTestFinished, test } from "vitest";
import { checkups } from "../../src/evidence/checkups.ts";
import { impatientClient, NAMESPACE } from "../fixtures/submission.ts";

test("tells of executors that wait: of the first, of the others once, and then not again", async () => {
  const cluster = await TestCluster.start();
  const driver = await cluster.createPod(aPod("etl-driver").in(NAMESPACE).driver("spark-etl").build());
  const wait = async (id: number): Promise<unknown> =>
    await cluster.createPod(
      aPod(`etl-exec-${id}`).in(NAMESPACE).executor(id, "spark-etl").spec(NOWHERE).build(),
      "Pending",
    );
  const clock = new ManualClock(Date.now());
  const told: Diagnosis[] = [];
  const ending = new AbortController();
  const examined = checkups(await impatientClient(cluster), {
    ...{ driverContainer: "spark-kubernetes-driver", clock, signal: ending.signal },
    driver: () => podState(driver),
    tell: (diagnosis) => void told.push(diagnosis),
  });
  onTestFinished(async () => {
    ending.abort();
    await examined;
  });
  const next = async (): Promise<void> => {
    await expect.poll(() => clock.pending).toBe(1);
    await clock.advance(15_000);
    await expect.poll(() => clock.pending).toBe(1);
  };
  await wait(1);
  await next();
  await wait(2);
  await next();
  await wait(3);
  await next();
  expect(told.map(({ findings }) => findings.map(({ pods }) => pods))).toEqual([
    [["etl-exec-1"]],
    [["etl-exec-1", "etl-exec-2"]],
  ]);
});

/** No node of the cluster has this label. */
const NOWHERE = { nodeSelector: { disk: "nvme" } };
