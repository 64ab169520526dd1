import { createKubeClient, type Fence, fencedClient, loadClusterAccess, resources } from "@kindling/kube";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { kubeconfigFor } from "@kindling/test-kit/kubeconfig-file";
import { eventually } from "@kindling/test-kit/eventually";
import { expect, onTestFinished, test } from "vitest";

const MAP = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "map", namespace: "spark-jobs" } };
const IN = { namespace: "spark-jobs" };

async function clientOf(cluster: TestCluster, fence: Fence): Promise<ReturnType<typeof fencedClient>> {
  const client = createKubeClient(await loadClusterAccess({ env: {}, kubeconfigPath: kubeconfigFor(cluster) }));
  onTestFinished(() => client.close());
  return fencedClient(client, fence);
}

test("behind a closed fence nothing is written, and all is read", async () => {
  const cluster = await TestCluster.start();
  let isOpen = true;
  const client = await clientOf(cluster, { signal: new AbortController().signal, isOpen: () => isOpen });
  await client.create(resources.configmaps, MAP, IN);
  isOpen = false;
  const before = cluster.api.writes.length;
  const writes = [
    () => client.create(resources.configmaps, MAP, IN),
    () => client.apply(resources.configmaps, MAP, { ...IN, fieldManager: "test" }),
    () => client.replace(resources.configmaps, MAP, IN),
    () => client.patch(resources.configmaps, "map", "merge", {}, IN),
    () => client.delete(resources.configmaps, "map", IN),
    () => client.deleteCollection(resources.configmaps, IN),
  ];
  for (const write of writes) await expect(write()).rejects.toThrow("another replica may lead");
  expect(cluster.api.writes).toHaveLength(before);
  expect(await client.get(resources.configmaps, "map", IN)).toMatchObject({ metadata: { name: "map" } });
});

test("what is under way ends with the fence", async () => {
  const cluster = await TestCluster.start();
  const end = new AbortController();
  const client = await clientOf(cluster, { signal: end.signal, isOpen: () => true });
  cluster.api.fault = () => ({ kind: "wait", until: new Promise(() => undefined) });
  const creating = client.create(resources.configmaps, MAP, IN).catch((error: unknown) => error);
  await eventually(() => expect(cluster.api.writes).toHaveLength(1));
  end.abort();
  expect(await creating).toMatchObject({ kind: "aborted" });
});
