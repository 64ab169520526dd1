import { createKubeClient, loadClusterAccess } from "@kindling/kube";
import type { Clock } from "@kindling/outside";
import type { TestCluster } from "@kindling/test-cluster/test-cluster";
import { fastClock } from "@kindling/test-kit/fast-clock";
import { kubeconfigFor } from "@kindling/test-kit/kubeconfig-file";
import { onTestFinished } from "vitest";
import { OperatedCluster } from "../../support/operated-cluster.ts";
import { startBystander } from "../../../src/testing/rounds/bystander.ts";
import type { Stage } from "../../../src/testing/rounds/stage.ts";

/** How many seconds of the cluster pass in a real second. */
const FASTER = 20;
/** When a test sets the clients' clock forward, only what has been silent ends, and no request that is under way. */
const REQUEST_TIMEOUT_MS = 20 * 24 * 3_600_000;

export interface EmbeddedStage extends Stage {
  readonly cluster: TestCluster;
}

interface Clocks {
  readonly operators?: Clock;
  readonly clients?: Clock;
}

/**
 * An embedded cluster on which time passes faster, until the test ends. Operators use it through its recorder; others do
 * not.
 *
 * @param clocks of the operators and of their clients; default: the cluster's clock
 */
export async function embeddedStage(clocks: Clocks = {}): Promise<EmbeddedStage> {
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
    ...{ client, clock: clocks.operators ?? clock, bystander, cluster },
    ...{ namespaceLabels: {}, spec: {} },
    // The cluster collects at once.
    sweep: () => Promise.resolve(),
    connect: (userAgent = "kindling-operator") =>
      createKubeClient(operators, {
        userAgent,
        ...(clocks.clients === undefined ? { clock } : { clock: clocks.clients, requestTimeoutMs: REQUEST_TIMEOUT_MS }),
      }),
    end: (pod, exitCode) => cluster.devCluster.podFaults.exit(pod, { exitCode }),
  };
}
