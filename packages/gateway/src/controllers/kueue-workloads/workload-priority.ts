import type { KubeObject } from "@kindling/kube-objects";
import { isNotFound, type KubeClient, type ResourceType } from "@kindling/kube";
import { objectAt } from "../../json/fields.ts";

/** Kueue's label for the priority of a job among others. */
const PRIORITY_CLASS = "kueue.x-k8s.io/priority-class";

/**
 * The priority of an application's core: that of the WorkloadPriorityClass that its driver names, or else that of its pod
 * (Kueue, "Workload Priority Class").
 */
export async function priorityOf(client: KubeClient, driver: KubeObject, workloads: ResourceType): Promise<number> {
  const name = driver.metadata.labels?.[PRIORITY_CLASS];
  const own = numberIn(objectAt(driver, "spec")["priority"]);
  if (name === undefined) return own ?? 0;
  const type = { ...workloads, plural: "workloadpriorityclasses", kind: "WorkloadPriorityClass", namespaced: false };
  try {
    const found = (await client.get(type, name)) as KubeObject;
    return numberIn(found["value"]) ?? own ?? 0;
  } catch (error) {
    if (isNotFound(error)) return own ?? 0;
    throw error;
  }
}

function numberIn(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
