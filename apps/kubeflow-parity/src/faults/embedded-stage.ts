import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DevCluster } from "@kindling/devcluster";
import { createKubeClient, loadClusterAccess } from "@kindling/kube";
import { startBystander } from "@kindling/operator/testing";
import { fastClock } from "@kindling/test-kit/fast-clock";
import { applyDefinitions } from "../operators/definitions.ts";
import type { FaultPlace } from "./place.ts";

const LABELS = { "kindling-crash": "embedded" };

/** An embedded cluster in this process. Its drivers do what their annotations say. */
export async function embeddedStage(faster: number): Promise<FaultPlace> {
  const folder = await mkdtemp(join(tmpdir(), "kindling-benchmark-"));
  const clock = fastClock(faster);
  const devCluster = await DevCluster.start({ clock });
  const kubeconfigPath = join(folder, "kubeconfig");
  await writeFile(kubeconfigPath, devCluster.kubeconfig());
  const access = await loadClusterAccess({ env: {}, kubeconfigPath });
  const client = createKubeClient(access);
  await applyDefinitions(client);
  const bystander = await startBystander(client);
  return {
    ...{ kubeconfig: kubeconfigPath, namespaceSelector: "kindling-crash=embedded" },
    stage: {
      ...{ namespaceLabels: LABELS, spec: {} },
      // The embedded cluster collects garbage at once.
      sweep: () => Promise.resolve(),
      ...{ client, clock, bystander },
      connect: () => createKubeClient(access, { userAgent: "kindling-operator" }),
      end: (pod, exitCode) => devCluster.podFaults.exit(pod, { exitCode }),
    },
    async stop() {
      await bystander.stop();
      client.close();
      await devCluster.stop();
      await rm(folder, { recursive: true });
    },
  };
}
