import { createKubeClient, type KubeClient, loadClusterAccess, resources } from "@kindling/kube";
import { type Bystander, startBystander } from "@kindling/operator/testing";
import { fastClock } from "@kindling/test-kit/fast-clock";
import { applyDefinitions } from "../operators/definitions.ts";
import { startHollowKubelet } from "./hollow-kubelet.ts";
import type { FaultPlace } from "./place.ts";

const LABEL = "kindling-crash";
const BETWEEN_LOOKS_MS = 500;
const BETWEEN_SWEEPS_MS = 100;
const COLLECTED = [resources.pods, resources.services, resources.configmaps] as const;

/** The API server of a kubeconfig. No node of its cluster runs the drivers; a hollow kubelet reports for their pods. */
export async function apiServerStage(kubeconfig: string, faster: number): Promise<FaultPlace> {
  const own = `${LABEL}-${process.pid}`;
  const clock = fastClock(faster);
  const access = await loadClusterAccess({ kubeconfigPath: kubeconfig });
  const client = createKubeClient(access, { maxInFlight: 200 });
  await applyDefinitions(client);
  const [bystander, kubelet] = await Promise.all([
    startBystander(client),
    startHollowKubelet(client, { clock, schedulerName: own }),
  ]);
  return {
    ...{ kubeconfig, namespaceSelector: `${LABEL}=${own}` },
    stage: {
      ...{ client, clock, bystander },
      connect: () => createKubeClient(access, { userAgent: "kindling-operator" }),
      namespaceLabels: { [LABEL]: own },
      spec: { sparkConf: { "spark.kubernetes.scheduler.name": own } },
      end: (pod, exitCode) => kubelet.end(pod, exitCode),
      sweep: (namespace) => sweep(client, bystander, namespace),
    },
    async stop() {
      await removeNamespaces(client, `${LABEL}=${own}`);
      await kubelet.stop();
      await bystander.stop();
      client.close();
    },
  };
}

/**
 * Deletes everything in a namespace. The garbage collector of a real cluster makes only about forty requests a second for the
 * whole cluster, so it would be measured instead of the operator. Objects without an owner have been checked for before.
 */
async function sweep(client: KubeClient, bystander: Bystander, namespace: string): Promise<void> {
  const { there } = bystander.seen(namespace);
  const fieldSelector = "metadata.name!=kube-root-ca.crt";
  // An operator may be making something right now. Requests that fail are tried again.
  while (there.size > 0) {
    await Promise.allSettled(COLLECTED.map((type) => client.deleteCollection(type, { namespace, fieldSelector })));
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_SWEEPS_MS));
  }
}

/** Also removes namespaces of rounds that were interrupted. */
async function removeNamespaces(client: KubeClient, labelSelector: string): Promise<void> {
  for (;;) {
    const { items } = await client.listAll(resources.namespaces, { labelSelector });
    if (items.length === 0) return;
    const there = items.filter(({ metadata }) => metadata?.deletionTimestamp === undefined);
    await Promise.all(
      there.map(({ metadata }) => client.request({ method: "DELETE", path: `/api/v1/namespaces/${metadata?.name}` })),
    );
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_LOOKS_MS));
  }
}
