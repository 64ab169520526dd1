import type { KubeObjectLike } from "@kindling/kube-objects";
import { sleep, type Clock } from "@kindling/outside";
import type { KubeClient } from "../client/kube-client.ts";
import { gatherPages, type KubeList } from "../client/list-pages.ts";
import type { Selection } from "../client/options.ts";
import { isKubeError, kubeError, type KubeError } from "../errors/kube-error.ts";
import type { ResourceType } from "../resource-type.ts";
import { SinkFault, type GuardedSink } from "./guarded-sink.ts";
import type { ReflectedView } from "./reflected-view.ts";
import type { ReflectorOptions } from "./reflector-options.ts";
import { isOlder } from "./resource-version.ts";
import type { WatchRecovery } from "./watch-recovery.ts";

/** What is reflected, and into what. */
export interface Reflection<T extends KubeObjectLike, R> {
  readonly client: KubeClient;
  readonly type: ResourceType<T>;
  readonly options: ReflectorOptions<T, R>;
  readonly sink: GuardedSink<T, R>;
  readonly view: ReflectedView;
  readonly recovery: WatchRecovery;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Lists and watches until the signal aborts.
 *
 * @throws SinkFault; no answer of the server ends it
 */
export async function reflect<T extends KubeObjectLike, R>(reflection: Reflection<T, R>): Promise<void> {
  const { type, options, view, signal } = reflection;
  if (options.initial !== undefined) await replace(reflection, options.initial);
  while (!signal.aborted) {
    try {
      const { resourceVersion } = view;
      if (resourceVersion === undefined) await replace(reflection, await readList(reflection));
      else await watchFrom(reflection, resourceVersion);
    } catch (error) {
      if (error instanceof SinkFault) throw error;
      if (!signal.aborted) await recover(reflection, isKubeError(error) ? error : unexpected(type, error));
    }
  }
}

async function readList<T extends KubeObjectLike, R>(reflection: Reflection<T, R>): Promise<KubeList<R>> {
  const { client, type, options, sink, signal } = reflection;
  const { pageSize, limits } = options;
  let isWatchable = true;
  const pages = client.list(type, { ...selectionOf(options), pageSize, limits, signal });
  const list = await gatherPages(pages, (object) => {
    isWatchable &&= (object.metadata?.uid ?? "") !== "";
    return sink.keep(object);
  });
  if (isWatchable && list.resourceVersion !== "") return list;
  throw kubeError({ kind: "protocol" }, `a list of ${type.plural} has no resourceVersion, or an item without a uid`);
}

async function replace<T extends KubeObjectLike, R>(
  { sink, view }: Reflection<T, R>,
  list: KubeList<R>,
): Promise<void> {
  await sink.replace(list);
  view.caughtUp(list.resourceVersion);
}

async function watchFrom<T extends KubeObjectLike, R>(reflection: Reflection<T, R>, start: string): Promise<void> {
  const { client, type, options, sink, view, recovery, signal } = reflection;
  const { timeoutSeconds, idleTimeoutMs } = options;
  const onOpen = (): void => {
    recovery.opened();
    view.watchOpened();
  };
  const watching = {
    ...selectionOf(options),
    resourceVersion: start,
    timeoutSeconds,
    idleTimeoutMs,
    signal,
    onOpen,
  };
  for await (const event of client.watch(type, watching)) {
    if (isOlder(event.resourceVersion, view.resourceVersion ?? start)) throw backInTime(type);
    await sink.apply(event);
    view.caughtUp(event.resourceVersion);
  }
  view.watchClosed();
  const waitMs = recovery.afterEnd();
  if (waitMs > 0 && !signal.aborted) await pauseAfterEarlyEnd(reflection, waitMs);
}

function selectionOf({ namespace, allNamespaces, labelSelector, fieldSelector }: Selection): Selection {
  return { namespace, allNamespaces, labelSelector, fieldSelector };
}

/**
 * This is no fault: the view continues where the watch ended. But a server that does this again and again is asked less
 * often.
 */
async function pauseAfterEarlyEnd<T extends KubeObjectLike, R>(
  { type, options, view, clock, signal }: Reflection<T, R>,
  waitMs: number,
): Promise<void> {
  const error = kubeError({ kind: "protocol" }, `a watch of ${type.plural} ended as soon as it had begun`);
  view.faulted(error);
  options.onError?.(error);
  await sleep(clock, waitMs, signal);
}

async function recover<T extends KubeObjectLike, R>(
  { options, view, recovery, clock, signal }: Reflection<T, R>,
  error: KubeError,
): Promise<void> {
  view.lost(error);
  options.onError?.(error);
  const { from, waitMs } = recovery.afterFault(error);
  if (from === "list") view.forgetVersion();
  await sleep(clock, waitMs, signal);
}

/** The version is that of another cluster, or of a restored backup: the server may not send all changes. */
function backInTime(type: ResourceType): KubeError {
  const message = `a watch of ${type.plural} went back to an older resourceVersion`;
  return kubeError({ kind: "protocol" }, message);
}

/** A bug here must not end a view that others rely on. */
function unexpected(type: ResourceType, cause: unknown): KubeError {
  return kubeError({ kind: "protocol" }, `what the server sent about ${type.plural} could not be read`, { cause });
}
