import { type KubeClient, resources } from "@kindling/kube";
import { type Clock, sleep } from "@kindling/outside";

const SPARK_PODS = "spark-role in (driver,executor)";
/** Long enough for a driver to end by itself, and for the recorder to read its last lines. */
const PATIENCE_MS = 10_000;
const GRACE_SECONDS = 3;
const LOOK_MS = 25;

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
  const begun = clock.monotonic();
  const asked = new Set<string>();
  for (;;) {
    const left = await client.listAll(resources.pods, { allNamespaces: true, labelSelector: SPARK_PODS });
    if (left.items.length === 0 && recorder.unstored === 0) return;
    if (clock.monotonic() - begun > PATIENCE_MS) return;
    for (const { metadata: { name = "", namespace, uid = "" } = {} } of left.items) {
      if (asked.has(uid)) continue;
      asked.add(uid);
      const options = { namespace, gracePeriodSeconds: GRACE_SECONDS, preconditions: { uid } };
      // It may have ended by itself.
      await client.delete(resources.pods, name, options).catch(() => undefined);
    }
    await sleep(clock, LOOK_MS);
  }
}
