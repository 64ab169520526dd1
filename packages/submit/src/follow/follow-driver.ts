import { isFinished, podState, type PodState } from "@kindling/diagnosis";
import { isObjectNotFound, resources, type KubeClient } from "@kindling/kube";
import { sleep } from "@kindling/outside";
import { followPod, type FollowPodOptions } from "./follow-pod.ts";

/** The time between two driver pods is usually short, but longer if the gateway does not run. */
const PATIENCE_MS = 120_000;

export interface FollowDriverOptions extends FollowPodOptions {
  /** Decides whether a driver has ended. Default: when the container that runs Spark has ended. */
  readonly hasEnded?: (state: PodState) => boolean;
}

/**
 * The states of an application's driver, as {@link followPod} reports them. If the gateway starts the driver again, the
 * states of the next pod follow. Ends when there is no next pod.
 */
export async function* followDriver(client: KubeClient, options: FollowDriverOptions): AsyncGenerator<PodState, void> {
  for (;;) {
    let last: PodState | undefined;
    for await (const state of followPod(client, options)) {
      last = state;
      yield state;
      if (isOver(state, options.hasEnded)) return;
    }
    if (last?.restart?.at === undefined || !(await hasSuccessor(client, last, options))) return;
  }
}

/**
 * Whether an application has ended for good. While the gateway holds a pod, it has not decided. When it has decided to start
 * another driver, it writes the time on the pod, and this stays until the pod is deleted.
 */
export function isOver(
  state: PodState,
  hasEnded: (state: PodState) => boolean = (state) => isFinished(state),
): boolean {
  return hasEnded(state) && state.restart?.isHeld !== true && state.restart?.at === undefined;
}

/** Waits for the pod that replaces one that is gone. */
async function hasSuccessor(
  client: KubeClient,
  { uid, namespace, name }: PodState,
  { intervalMs, signal, outside: { clock } }: FollowPodOptions,
): Promise<boolean> {
  const deadline = clock.monotonic() + PATIENCE_MS;
  while (clock.monotonic() < deadline) {
    try {
      const pod = podState(await client.get(resources.pods, name, { namespace, signal }));
      if (pod.uid !== uid) return true;
    } catch (error) {
      if (!isObjectNotFound(error, resources.pods, name)) throw error;
    }
    await sleep(clock, intervalMs, signal);
  }
  return false;
}
