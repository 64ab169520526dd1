import { isFinished, podState, type PodState } from "@kindling/diagnosis";
import { isObjectNotFound, resources, type KubeClient } from "@kindling/kube";
import { sleep } from "@kindling/outside";
import { followPod, type FollowPodOptions } from "./follow-pod.ts";

/** The time between two driver pods is usually short, but longer if the gateway does not run. */
const PATIENCE_MS = 120_000;
/** The same if it was not seen whether another driver follows. A running gateway needs a second or two. */
const UNSURE_PATIENCE_MS = 10_000;

export interface FollowDriverOptions extends FollowPodOptions {
  /** Decides whether a driver has ended. Default: when the container that runs Spark has ended. */
  readonly hasEnded?: (state: PodState) => boolean;
  /** An earlier state of the driver: its pod may be gone now, and the next one not there yet. */
  readonly known?: PodState | undefined;
}

/**
 * The states of an application's driver, as {@link followPod} reports them. If the gateway starts the driver again, the
 * states of the next pod follow. Ends when there is no next pod.
 */
export async function* followDriver(client: KubeClient, options: FollowDriverOptions): AsyncGenerator<PodState, void> {
  let last = options.known;
  for (;;) {
    for await (const state of followPod(client, options)) {
      last = state;
      yield state;
      if (isOver(state, options.hasEnded)) return;
    }
    if (last === undefined || !(await hasSuccessor(client, last, options))) return;
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
  { uid, namespace, name, restart }: PodState,
  { intervalMs, signal, outside: { clock } }: FollowPodOptions,
): Promise<boolean> {
  if (restart?.at === undefined && restart?.isHeld !== true) return false;
  const deadline = clock.monotonic() + (restart.at === undefined ? UNSURE_PATIENCE_MS : PATIENCE_MS);
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
