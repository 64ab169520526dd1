import { resources, startReflector, type WatchEvent } from "@kindling/kube";
import type { Pod } from "kubernetes-types/core/v1.js";
import { DEFAULT_POD_OPTIONS } from "../pods/executor-pod.ts";
import { AttachedStores, type ApplicationPod } from "./attached-stores.ts";
import {
  applicationPod,
  sourceSelector,
  type ExecutorPodsSource,
  type ExecutorPodsSourceOptions,
} from "./executor-pods-source.ts";

/** A source that can tell how far it is. */
export interface ExecutorPodsWatchSource extends ExecutorPodsSource {
  /** Resolves with the first list. */
  readonly synced: Promise<void>;
  /** Whether what it has told is the present state, as far as a watch can show. */
  readonly isCurrent: boolean;
}

/** A pod by its uid, which no other pod ever has; what is no executor is remembered as nothing. */
type Seen = ApplicationPod | undefined;

/**
 * Watches the executor pods of a namespace, for ever: one list at the start and after each gap, one watch in between.
 *
 * Counterpart of `ExecutorPodsWatchSnapshotSource` (Spark 3.5); differs in that it goes on after a 410, which leaves
 * Spark's blind, and in that pods which a new list does not show are told of as removed.
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
