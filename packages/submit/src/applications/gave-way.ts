import { SCHEDULER_GATEWAY_LABEL } from "@kindling/core-spec";
import { inOrder, isFinished, podEvent, type PodEvent, type PodState } from "@kindling/diagnosis";
import { resources, type KubeClient } from "@kindling/kube";

/** The values in the gateway's events. */
const REASON = "ExecutorsPreempted";
const COMPONENT = "kindling-gateway";

/**
 * The gateway's last event about executors of this driver that gave way to other applications. `undefined` if there is no
 * such event, if the driver has ended, if the gateway does not manage the driver, or if this user may not see events.
 */
export async function gaveWayOf(
  client: KubeClient,
  driver: PodState,
  signal: AbortSignal | undefined,
): Promise<PodEvent | undefined> {
  const { namespace, uid, labels } = driver;
  if (isFinished(driver) || labels[SCHEDULER_GATEWAY_LABEL] !== "true") return undefined;
  try {
    const fieldSelector = `involvedObject.uid=${uid}`;
    const { items } = await client.listAll(resources.events, { namespace, fieldSelector, signal });
    return inOrder(items.map(podEvent)).findLast(({ reason, source }) => reason === REASON && source === COMPONENT);
  } catch {
    return undefined;
  }
}
