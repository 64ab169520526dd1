import { aPod } from "@kindling/test-kit/a-pod";
import { eventually } from "@kindling/test-kit/eventually";
import type { TestCluster } from "@kindling/test-cluster/test-cluster";
import type { Pod } from "kubernetes-types/core/v1.js";
import { expect } from "vitest";
import { TEST_OWNER } from "./test-server.ts";

/** A driver pod that runs until it is told to end. */
export function driverPod({
  name = "drv",
  namespace = TEST_OWNER.ownerNamespace,
  labels = TEST_OWNER.ownerLabels,
}: { readonly name?: string; readonly namespace?: string; readonly labels?: Record<string, string> } = {}): Pod {
  return aPod(name).in(namespace).labels(labels).spec({ restartPolicy: "Never" }).build();
}

/** Deletes a pod at once. */
export async function removePod(cluster: TestCluster, pod: Pod): Promise<void> {
  await cluster.delete(pod, { gracePeriodSeconds: 0 });
}

/** Deletes a namespace with all that is in it, and waits until it is gone. */
export async function removeNamespace(cluster: TestCluster, namespace: string): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}`;
  await cluster.send("DELETE", path);
  await eventually(() => expect(cluster.send("GET", path)).rejects.toThrow("404"));
}
