import {
  createBackoff,
  isExpired,
  isKubeError,
  isObjectNotFound,
  resources,
  type KubeClient,
  type KubeError,
} from "@kindling/kube";
import { sleep, type Outside } from "@kindling/outside";
import { podState, type PodState } from "../cluster/pod-state.ts";

export interface FollowOptions {
  readonly namespace: string;
  readonly name: string;
  /** How often to ask where watching is not allowed, and how long to wait before a broken watch is opened anew. */
  readonly intervalMs: number;
  /** Measures the intervals. */
  readonly outside: Pick<Outside, "clock" | "random">;
  readonly signal?: AbortSignal | undefined;
  /** Called when the server cannot be asked for the time being, once each time that this begins. */
  readonly onTrouble: (error: KubeError) => void;
}

/** The longest wait before a server that cannot be reached is asked again. */
const LONGEST_WAIT_MS = 10_000;

/**
 * The states of one pod, as they come, beginning with the present one; ends when the pod is gone, or another one has
 * its name. Watches that end or break are opened anew; where watching is forbidden the pod is asked for at intervals. An
 * application outlives its API server's restart, so a server that does not answer is asked again for as long as it takes.
 */
export async function* followPod(client: KubeClient, options: FollowOptions): AsyncGenerator<PodState, void> {
  const { namespace, name, intervalMs, signal, onTrouble } = options;
  const { clock, random } = options.outside;
  const capMs = Math.max(intervalMs, LONGEST_WAIT_MS);
  const backoff = createBackoff({
    baseMs: intervalMs,
    capMs,
    resetAfterMs: Infinity,
    clock,
    random: () => random.fraction(),
  });
  let isInTrouble = false;
  let mayWatch = true;
  let uid: string | undefined;
  for (;;) {
    let version: string | undefined;
    try {
      const pod = await client.get(resources.pods, name, { namespace, signal });
      uid ??= pod.metadata?.uid;
      if (pod.metadata?.uid !== uid) return;
      isInTrouble = false;
      backoff.reset();
      version = pod.metadata?.resourceVersion;
      yield podState(pod);
    } catch (error) {
      if (isObjectNotFound(error, resources.pods, name)) return;
      if (!isPassing(error)) throw error;
      if (!isInTrouble) onTrouble(error);
      isInTrouble = true;
      await sleep(clock, backoff.next(), signal);
      continue;
    }
    try {
      if (mayWatch) {
        const events = client.watch(resources.pods, {
          namespace,
          fieldSelector: `metadata.name=${name}`,
          resourceVersion: version,
          signal,
        });
        for await (const event of events) {
          if (event.type === "BOOKMARK") continue;
          yield podState(event.object);
          if (event.type === "DELETED") return;
        }
      }
    } catch (error) {
      if (isKubeError(error) && error.kind === "status" && (error.status === 403 || error.status === 405))
        mayWatch = false;
      else if (!isExpired(error) && !isPassing(error)) throw error;
    }
    await sleep(clock, intervalMs, signal);
  }
}

/** Whether a fault may mend itself. */
function isPassing(error: unknown): error is KubeError {
  if (!isKubeError(error)) return false;
  // A 404 that does not name the pod comes from something on the way, which knows nothing of pods.
  if (error.kind === "status") return error.status >= 500 || error.status === 429 || error.status === 404;
  return error.kind === "unreachable" || error.kind === "timeout" || error.kind === "protocol";
}
