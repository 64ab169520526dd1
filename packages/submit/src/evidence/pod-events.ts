import { podEvent, type PodEvent, type PodState } from "@kindling/diagnosis";
import { resources, type KubeClient } from "@kindling/kube";
import { orNothing } from "./or-nothing.ts";

/** Events are asked for this many pods: the same problem is reported once, no matter how many pods have it. */
const MOST_EXAMINED = 4;

/** The events of the first of these pods. Those that may not be read, or whose namespace is gone, are left out. */
export async function eventsOfPods(
  client: Pick<KubeClient, "listAll">,
  pods: readonly PodState[],
  signal: AbortSignal | undefined,
): Promise<readonly PodEvent[]> {
  const events = await Promise.all(
    pods.slice(0, MOST_EXAMINED).map(({ namespace, uid }) => {
      const fieldSelector = `involvedObject.uid=${uid}`;
      return orNothing(() => client.listAll(resources.events, { namespace, fieldSelector, signal }));
    }),
  );
  return events.flatMap((list) => list?.items ?? []).map(podEvent);
}
