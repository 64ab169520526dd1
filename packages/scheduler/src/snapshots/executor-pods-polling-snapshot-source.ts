import { isKubeError, isOlder, resources } from "@kindling/kube";
import { sleep } from "@kindling/outside";
import { DEFAULT_POD_OPTIONS } from "../executor-pod/executor-pod.ts";
import { INACTIVE_LABEL } from "../executor-pod/labels.ts";
import { AttachedStores } from "./attached-stores.ts";
import {
  applicationPod,
  sourceSelector,
  type ExecutorPodsSource,
  type ExecutorPodsSourceOptions,
} from "./executor-pods-source.ts";

export interface ExecutorPodsPollingOptions extends ExecutorPodsSourceOptions {
  /** The time from the end of one list to the next, in milliseconds (`spark.kubernetes.executor.apiPollingInterval`). */
  readonly intervalMs: number;
  /**
   * `newest`: each list shows the current state, which costs the API server most. `any`: the state in its cache, which may be
   * old; a list that is older than the store's state is dropped
   * (`spark.kubernetes.executor.enablePollingWithResourceVersion`; Kubernetes API concepts, "Resource versions").
   */
  readonly resourceVersion: "newest" | "any";
}

/**
 * Lists the executor pods of a namespace again and again, so that changes which no watch has shown are noticed, too.
 *
 * Counterpart of `ExecutorPodsPollingSnapshotSource` (Spark 3.5); differs in that it begins with a list, where Spark
 * waits for one interval, and in that a list older than an event of the store is dropped.
 */
export function startExecutorPodsPollingSource(options: ExecutorPodsPollingOptions): ExecutorPodsSource {
  const { client, namespace, podOptions = () => DEFAULT_POD_OPTIONS, intervalMs, clock, onError } = options;
  const stores = new AttachedStores();
  const stopping = new AbortController();
  const { signal } = stopping;
  const selection = {
    namespace,
    labelSelector: `${sourceSelector(options.labelSelector)},${INACTIVE_LABEL}!=true`,
    resourceVersion: options.resourceVersion === "any" ? "0" : undefined,
    signal,
  };

  let wake: AbortController | undefined;

  async function poll(): Promise<void> {
    const { items, resourceVersion } = await client.listAll(resources.pods, selection);
    const pods = items.flatMap((pod) => applicationPod(pod, podOptions(pod)) ?? []);
    stores.replaceAll(pods, (store, own) => {
      const known = store.resourceVersion;
      if (known === undefined || !isOlder(resourceVersion, known)) store.replaceSnapshot(own, resourceVersion);
    });
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        await poll();
      } catch (error) {
        if (!isKubeError(error)) throw error;
        if (!signal.aborted) onError?.(error);
      }
      wake = new AbortController();
      await sleep(clock, intervalMs, signal, wake.signal);
    }
  }

  const ended = run();
  return {
    attach(applicationId, store) {
      // A store that is attached later need not wait for the next interval.
      wake?.abort();
      return stores.attach(applicationId, store);
    },
    stop() {
      stopping.abort();
      return ended;
    },
  };
}
