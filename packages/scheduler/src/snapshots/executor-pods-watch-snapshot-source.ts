import { resources, startReflector, type WatchEvent } from "@kindling/kube";
import type { Pod } from "kubernetes-types/core/v1.js";
import { DEFAULT_POD_OPTIONS } from "../executor-pod/executor-pod.ts";
import { AttachedStores, type ApplicationPod } from "./attached-stores.ts";
import {
  applicationPod,
  sourceSelector,
  type ExecutorPodsSource,
  type ExecutorPodsSourceOptions,
} from "./executor-pods-source.ts";

/** A source that knows whether it is up to date. */
export interface ExecutorPodsWatchSource extends ExecutorPodsSource {
  /** Resolves with the first list. */
  readonly synced: Promise<void>;
  /** Whether the stores have the current state, as far as a watch can show it. */
  readonly isCurrent: boolean;
}

/** What is kept for a pod's uid: undefined if the pod is not an executor. */
type Seen = ApplicationPod | undefined;

/**
 * Watches the executor pods of a namespace, for ever: one list at the start and after each gap, one watch in between.
 *
 * Counterpart of `ExecutorPodsWatchSnapshotSource` (Spark 3.5); differs in two ways: it continues after a 410, while Spark's
 * source never watches again; and pods that a new list does not show are reported as removed.
 */
export function startExecutorPodsWatchSource(options: ExecutorPodsSourceOptions): ExecutorPodsWatchSource {
  const { client, namespace, podOptions = () => DEFAULT_POD_OPTIONS, onError, clock, random } = options;
  const stores = new AttachedStores();
  let known = new Map<string, ApplicationPod>();
  let resourceVersion: string | undefined;

  function replace(items: readonly Seen[], version: string): void {
    const before = known;
    known = new Map(items.flatMap((item) => (item === undefined ? [] : [[item.pod.uid, item]])));
    resourceVersion = version;
    for (const [uid, gone] of before) if (!known.has(uid)) tellRemoved(gone, version);
    stores.replaceAll(known.values(), (store, own) => store.replaceSnapshot(own, version));
  }

  function apply(event: WatchEvent<Seen>): void {
    resourceVersion = event.resourceVersion;
    if (event.type === "BOOKMARK" || event.object === undefined) return;
    const { applicationId, pod } = event.object;
    if (event.type === "DELETED") {
      known.delete(pod.uid);
      tellRemoved(event.object, event.resourceVersion);
      return;
    }
    known.set(pod.uid, event.object);
    for (const store of stores.of(applicationId)) store.updatePod(pod, event.resourceVersion);
  }

  function tellRemoved({ applicationId, pod }: ApplicationPod, version: string): void {
    for (const store of stores.of(applicationId)) store.removePod(pod, version);
  }

  const reflector = startReflector<Pod, Seen>(client, resources.pods, {
    namespace,
    labelSelector: sourceSelector(options.labelSelector),
    keep: (pod) => applicationPod(pod, podOptions(pod)),
    sink: { replace, apply },
    onError,
    clock,
    random,
  });
  return {
    synced: reflector.synced,
    get isCurrent() {
      return reflector.isCurrent;
    },
    attach(applicationId, store) {
      const detach = stores.attach(applicationId, store);
      const own = [...known.values()].flatMap((one) => (one.applicationId === applicationId ? [one.pod] : []));
      if (resourceVersion !== undefined) store.replaceSnapshot(own, resourceVersion);
      return detach;
    },
    stop: () => reflector.stop(),
  };
}
