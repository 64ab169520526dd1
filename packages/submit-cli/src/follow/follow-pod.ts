import { isExpired, isKubeError, isNotFound, resources, sleep, systemClock, type KubeClient } from "@kindling/kube";
import { podState, type PodState } from "./pod-state.ts";

export interface FollowOptions {
  readonly namespace: string;
  readonly name: string;
  /** How often to ask where watching is not allowed, and how long to wait before a broken watch is opened anew. */
  readonly intervalMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The states of one pod, as they come, beginning with the present one; ends when the pod is gone. Watches that end or
 * break are opened anew; where watching is forbidden the pod is asked for at intervals.
 */
export async function* followPod(client: KubeClient, options: FollowOptions): AsyncGenerator<PodState, void> {
  const { namespace, name, intervalMs, signal } = options;
  let mayWatch = true;
  for (;;) {
    let version: string | undefined;
    try {
      const pod = await client.get(resources.pods, name, { namespace, signal });
      version = pod.metadata?.resourceVersion;
      yield podState(pod);
    } catch (error) {
      if (isNotFound(error)) return;
      throw error;
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
      if (!isKubeError(error) || error.kind === "aborted") throw error;
      if (error.kind === "status" && (error.status === 403 || error.status === 405)) mayWatch = false;
      else if (!isExpired(error) && error.kind === "status" && error.status < 500 && error.status !== 429) throw error;
    }
    await sleep(systemClock, intervalMs, signal);
  }
}
