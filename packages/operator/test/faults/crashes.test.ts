import { createKubeClient, loadClusterAccess } from "@kindling/kube";
import { fastClock } from "@kindling/test-kit/fast-clock";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { expect, onTestFinished, test } from "vitest";
import { OperatedCluster } from "../support/operated-cluster.ts";
import { startBystander } from "./rounds/bystander.ts";
import { crashRound, type Round, type Stage } from "./rounds/crash-round.ts";
import { LIVES } from "./rounds/lives.ts";

/** Twenty seconds pass in one. */
async function embeddedStage(): Promise<Stage> {
  const clock = fastClock(20);
  const { cluster } = await OperatedCluster.start({ clock });
  const kubeconfigPath = scratchFolder().write("config", cluster.devCluster.kubeconfig());
  const access = await loadClusterAccess({ env: {}, kubeconfigPath });
  const client = createKubeClient(access);
  const bystander = await startBystander(client);
  onTestFinished(async () => {
    await bystander.stop();
    client.close();
  });
  return {
    ...{ client, clock, bystander },
    connect: () => Promise.resolve(createKubeClient(access, { userAgent: "kindling-operator" })),
    end: (pod, exitCode) => cluster.devCluster.podFaults.exit(pod, { exitCode }),
  };
}

test.each(LIVES)("$name, wherever the operator is killed", async (life) => {
  const stage = await embeddedStage();
  const t = performance.now();
  const { requests, faults } = await crashRound(stage, "undisturbed", life, []);
  expect(faults).toEqual([]);
  const deaths = Array.from({ length: requests }, (_, index) => index + 1).flatMap((atRequest) =>
    [true, false].map((isSent) => ({ atRequest, isSent })),
  );
  const rounds: Round[] = [];
  const todo = deaths.entries();
  const play = async () => {
    for (const [index, death] of todo) rounds.push(await crashRound(stage, `killed-${index}`, life, [death]));
  };
  await Promise.all(Array.from({ length: 10 }, play));
  console.log(life.name, rounds.length, rounds.filter((r) => r.deaths > 0).length, performance.now() - t);
  expect(rounds.flatMap(({ faults }) => faults)).toEqual([]);
}, 200_000);
