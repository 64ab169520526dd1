import { KEEPER_KEPT, KEEPER_LABEL, SPARK_APP_ID_LABEL } from "@kindling/core-spec";
import { podState, type PodState } from "@kindling/diagnosis";
import { resources, type KubeClient } from "@kindling/kube";

/**
 * The executors of all applications, in one request for many.
 *
 * @returns tells the executors of a driver
 * @throws KubeError
 */
export async function executorsByApplication(
  client: KubeClient,
  where: { readonly allNamespaces: boolean; readonly namespace?: string | undefined },
): Promise<(driver: PodState) => readonly PodState[]> {
  const found = new Map<string, PodState[]>();
  const pages = client.list(resources.pods, {
    ...where,
    labelSelector: `spark-role=executor,${KEEPER_LABEL}!=${KEEPER_KEPT}`,
    resourceVersion: "0",
  });
  for await (const page of pages) {
    for (const pod of page.items.map(podState)) {
      const key = keyOf(pod);
      const before = found.get(key);
      if (before === undefined) found.set(key, [pod]);
      else before.push(pod);
    }
  }
  return (driver) => found.get(keyOf(driver)) ?? [];
}

function keyOf({ namespace, labels }: PodState): string {
  return `${namespace}:${labels[SPARK_APP_ID_LABEL] ?? ""}`;
}
