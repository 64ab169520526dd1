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
import type { Pod } from "kubernetes-types/core/v1.js";
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
  let isExpiredOnce = false;
  let uid: string | undefined;
  for (;;) {
    let version: string | undefined;
    try {
      const { pod, version: seen } = await (isExpiredOnce && mayWatch ? listed : got)(client, options);
      uid ??= pod?.metadata?.uid;
      if (pod === undefined || pod.metadata?.uid !== uid) return;
      isInTrouble = false;
      backoff.reset();
      version = seen;
      yield podState(pod);
    } catch (error) {
      if (isObjectNotFound(error, resources.pods, name)) return;
      if (isExpiredOnce && mayWatch && isForbidden(error)) {
        mayWatch = false;
        continue;
      }
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
      if (isForbidden(error)) mayWatch = false;
      else if (isExpired(error)) isExpiredOnce = true;
      else if (!isPassing(error)) throw error;
    }
    await sleep(clock, intervalMs, signal);
  }
}

/** A pod, and from which version on it is to be watched. */
interface Look {
  readonly pod: Pod | undefined;
  readonly version: string | undefined;
}

async function got(client: KubeClient, { namespace, name, signal }: FollowOptions): Promise<Look> {
  const pod = await client.get(resources.pods, name, { namespace, signal });
  return { pod, version: pod.metadata?.resourceVersion };
}

/**
 * The version of a pod that has not changed for long is too old to watch from, however often it is asked for (API
 * concepts, "Efficient detection of changes"). That of a list is the present one.
 */
async function listed(client: KubeClient, { namespace, name, signal }: FollowOptions): Promise<Look> {
  const { items, resourceVersion } = await client.listAll(resources.pods, {
    ...{ namespace, signal },
    fieldSelector: `metadata.name=${name}`,
  });
  return { pod: items[0], version: resourceVersion };
}

function isForbidden(error: unknown): boolean {
  return isKubeError(error) && error.kind === "status" && (error.status === 403 || error.status === 405);
}

/** Whether a fault may mend itself. */
function isPassing(error: unknown): error is KubeError {
  if (!isKubeError(error)) return false;
  // A 404 that does not name the pod comes from something on the way, which knows nothing of pods.
  if (error.kind === "status") return error.status >= 500 || error.status === 429 || error.status === 404;
  return error.kind === "unreachable" || error.kind === "timeout" || error.kind === "protocol";
}
