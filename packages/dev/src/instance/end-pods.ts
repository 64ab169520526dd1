import { type KubeClient, resources } from "@kindling/kube";
import { type Clock, sleep } from "@kindling/outside";

/** Long enough for a driver to end by itself, and for the recorder to read its last lines. */
const PATIENCE_MS = 10_000;
const GRACE_SECONDS = 3;
const LOOK_MS = 25;

export interface EndPodsOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly labelSelector: string;
  /** Whether there is nothing else to wait for. */
  readonly isDone?: () => boolean;
}

/** Deletes pods of all namespaces, and waits until they are gone, unless that takes too long. */
export async function endPods({ client, clock, labelSelector, isDone = () => true }: EndPodsOptions): Promise<void> {
  const begun = clock.monotonic();
  const asked = new Set<string>();
  for (;;) {
    const left = await client.listAll(resources.pods, { allNamespaces: true, labelSelector });
    if (left.items.length === 0 && isDone()) return;
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
