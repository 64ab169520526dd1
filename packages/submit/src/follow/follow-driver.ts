import { isFinished, podState, type PodState } from "@kindling/diagnosis";
import { isObjectNotFound, resources, type KubeClient } from "@kindling/kube";
import { sleep } from "@kindling/outside";
import { followPod, type FollowPodOptions } from "./follow-pod.ts";

/** Between two driver pods there are moments, and longer ones where the gateway is away. */
const PATIENCE_MS = 120_000;

export interface FollowDriverOptions extends FollowPodOptions {
  /** What the end of a driver is. Default: that of the container that runs Spark. */
  readonly hasEnded?: (state: PodState) => boolean;
}

/**
 * The states of an application's driver, as {@link followPod} tells them; where the gateway starts the driver again, those
 * of the next pod as well. Ends when no other pod follows.
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
 * Whether an application has ended for good. While the gateway holds a pod it has not decided; when it has decided for
 * another driver, it says when, and leaves that on the pod to its end.
 */
export function isOver(
  state: PodState,
  hasEnded: (state: PodState) => boolean = (state) => isFinished(state),
): boolean {
  return hasEnded(state) && state.restart?.isHeld !== true && state.restart?.at === undefined;
}

/** Waits for the pod that takes the place of one that is gone. */
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
