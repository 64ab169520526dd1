import { createKubeClient, loadClusterAccess } from "@kindling/kube";
import type { Clock } from "@kindling/outside";
import type { TestCluster } from "@kindling/test-cluster/test-cluster";
import { fastClock } from "@kindling/test-kit/fast-clock";
import { kubeconfigFor } from "@kindling/test-kit/kubeconfig-file";
import { onTestFinished } from "vitest";
import { OperatedCluster } from "../../support/operated-cluster.ts";
import { startBystander } from "./bystander.ts";
import type { Stage } from "./stage.ts";

/** So many seconds pass in one. */
const FASTER = 20;

/**
 * An embedded cluster on which time passes faster, until the test ends. Operators get to it through its recorder, and all
 * others past it.
 *
 * @param operatorClock the operators'; without it that of the cluster
 */
export async function embeddedStage(operatorClock?: Clock): Promise<Stage & { readonly cluster: TestCluster }> {
  const clock = fastClock(FASTER);
  const { cluster } = await OperatedCluster.start({ clock });
  const accessTo = (url: string) => loadClusterAccess({ env: {}, kubeconfigPath: kubeconfigFor({ url }) });
  const [operators, others] = await Promise.all([accessTo(cluster.api.url), accessTo(cluster.devCluster.url)]);
  const client = createKubeClient(others);
  const bystander = await startBystander(client);
  onTestFinished(async () => {
    await bystander.stop();
    client.close();
  });
  return {
    ...{ client, clock: operatorClock ?? clock, bystander, cluster },
    connect: () => createKubeClient(operators, { userAgent: "kindling-operator", clock }),
    end: (pod, exitCode) => cluster.devCluster.podFaults.exit(pod, { exitCode }),
  };
}
