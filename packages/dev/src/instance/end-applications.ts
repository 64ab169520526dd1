import type { KubeClient } from "@kindling/kube";
import type { Clock } from "@kindling/outside";
import { endPods } from "./end-pods.ts";

const SPARK_PODS = "spark-role in (driver,executor)";

export interface EndApplicationsOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly recorder: { readonly unstored: number };
}

/**
 * Deletes the pods of applications, and waits until the recorder has stored what it knows of them: at the end of the cluster,
 * their logs would be gone. If that takes too long, the next start goes on with what is on the disk.
 */
export async function endApplications({ client, clock, recorder }: EndApplicationsOptions): Promise<void> {
  await endPods({ client, clock, labelSelector: SPARK_PODS, isDone: () => recorder.unstored === 0 });
}
