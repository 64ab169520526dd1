import type { KubeClient } from "../client/kube-client.ts";
import type { ListLimits, Selection } from "../client/options.ts";
import { sleep, systemClock, type Clock } from "@kindling/outside";
import { isKubeError, kubeError, type KubeError } from "../errors/kube-error.ts";
import type { KubeObject } from "../kube-object.ts";
import type { ResourceType } from "../resource-type.ts";
import { createCurrency } from "./currency.ts";
import { isOlder } from "./resource-version.ts";
import { gatherPages, type KubeList } from "../client/list-pages.ts";
import { seenVersions } from "./seen-versions.ts";
import type { WatchEvent } from "../answers/watch-event.ts";
import { watchRecovery } from "./watch-recovery.ts";

/** Where a reflector puts what it sees. Called in order and never concurrently with itself; may answer a promise. */
export interface ReflectorSink<T = KubeObject> {
  /** The whole selection as of a resource version: at the start and after each gap. */
  replace(items: T[], resourceVersion: string): void | Promise<void>;
  apply(event: WatchEvent<T>): void | Promise<void>;
}

export interface ReflectorOptions<T extends KubeObject = KubeObject, R = T> extends Selection {
  readonly sink: ReflectorSink<R>;
  /**
   * What of each object the sink is to keep, as a record of any shape; default: all. It is made as soon as a page or an
   * event has come, so that of a list only one page of whole objects is in memory at a time.
   */
  readonly keep?: ((object: T) => R) | undefined;
  /** Begin with this state instead of a list. */
  readonly initial?: KubeList<R> | undefined;
  readonly pageSize?: number | undefined;
  /** What a list may cost. */
  readonly limits?: Partial<ListLimits> | undefined;
  readonly timeoutSeconds?: number | undefined;
  readonly idleTimeoutMs?: number | undefined;
  /** Told of each fault; the reflector goes on by itself. */
  readonly onError?: ((error: KubeError) => void) | undefined;
  readonly clock?: Clock | undefined;
  /** Uniform in [0, 1), for jitter. */
  readonly random?: (() => number) | undefined;
}

export interface Reflector {
  /** Resolves at the first `replace`. Rejects when the reflector ends before that. */
  readonly synced: Promise<void>;
  /**
   * Whether the sink's view is current: it holds what the server has sent, no fault has come since, and a watch is open
   * or the next one about to be. What happened longer ago than a watch may be silent (`idleTimeoutMs`) is in it then;
   * when it is not current, what the sink lacks may exist, and what it holds may be gone. See `currency.ts`.
   */
  readonly isCurrent: boolean;
  /** The last fault, until an event or a list has come after it. */
  readonly lastError: KubeError | undefined;
  /** The newest resource version seen; undefined before a list, and when the server has forgotten it. */
  readonly resourceVersion: string | undefined;
  /**
   * Resolves once the sink has been given the state as of a resource version, or a later one, by an event, a bookmark or a
   * list: after one's own write, with the version that it was answered with. A change that the selection leaves out shows
   * only in the version of the next event or bookmark, which come about once a minute.
   *
   * Rejects with `aborted` when the signal aborts or the reflector stops, with `protocol` for a text that is no number.
   */
  whenSeen(resourceVersion: string, signal?: AbortSignal): Promise<void>;
  /**
   * Resolves when it was stopped. Rejects when the sink threw, after which the sink's view could not be trusted: where
   * nobody handles that, the process ends, as with any rejection.
   */
  readonly ended: Promise<void>;
  /** Resolves when it has stopped and the sink will not be called any more. */
  stop(): Promise<void>;
}

/**
 * Lists, then watches for ever; starts at once. A watch that ends or breaks goes on from the last resource version seen,
 * bookmarks included, or with a new list; `watch-recovery.ts` says which, and when. Nothing that a server answers ends it.
 */
export function startReflector<T extends KubeObject, R = T>(
  client: KubeClient,
  type: ResourceType<T>,
  options: ReflectorOptions<T, R>,
): Reflector {
  const { clock = systemClock, random = Math.random } = options;
  const { namespace, allNamespaces, labelSelector, fieldSelector, pageSize, limits } = options;
  const { timeoutSeconds, idleTimeoutMs } = options;
  const selection = { namespace, allNamespaces, labelSelector, fieldSelector };
  const stopping = new AbortController();
  const { signal } = stopping;
  const recovery = watchRecovery(clock, random);
  const seen = seenVersions();
  const currency = createCurrency(clock);
  const first = deferred();
  let resourceVersion: string | undefined;
  let lastError: KubeError | undefined;
  let hasEnded = false;

  async function run(): Promise<void> {
    if (options.initial !== undefined) await replace(options.initial);
    while (!signal.aborted) {
      try {
        if (resourceVersion === undefined) await replace(await readList());
        else await watchFrom(resourceVersion);
      } catch (error) {
        if (error instanceof SinkFault) throw error;
        if (!signal.aborted) await recover(isKubeError(error) ? error : unexpected(type, error));
      }
    }
  }

  async function readList(): Promise<KubeList<R>> {
    let isWatchable = true;
    const list = await gatherPages(client.list(type, { ...selection, pageSize, limits, signal }), (object) => {
      isWatchable &&= (object.metadata?.uid ?? "") !== "";
      return keep(object);
    });
    if (isWatchable && list.resourceVersion !== "") return list;
    throw kubeError({ kind: "protocol" }, `a list of ${type.plural} has no resourceVersion, or an item without a uid`);
  }

  async function replace(list: KubeList<R>): Promise<void> {
    await handOver(() => options.sink.replace(list.items, list.resourceVersion));
    resourceVersion = list.resourceVersion;
    seen.note(resourceVersion);
    lastError = undefined;
    currency.caughtUp();
    first.resolve();
  }

  async function watchFrom(start: string): Promise<void> {
    const onOpen = (): void => {
      recovery.opened();
      currency.opened();
    };
    const watching = { ...selection, resourceVersion: start, timeoutSeconds, idleTimeoutMs, signal, onOpen };
    for await (const event of client.watch(type, watching)) {
      if (isOlder(event.resourceVersion, resourceVersion ?? start)) throw backInTime(type);
      await handOver(() => options.sink.apply(kept(event)));
      resourceVersion = event.resourceVersion;
      seen.note(resourceVersion);
      lastError = undefined;
      currency.caughtUp();
    }
    currency.closed();
    const waitMs = recovery.afterEnd();
    if (waitMs > 0 && !signal.aborted) await pauseAfterEarlyEnd(waitMs);
  }

  function keep(object: T): R {
    // Without a function that makes less of an object, T and R are the same type.
    if (options.keep === undefined) return object as unknown as R;
    try {
      return options.keep(object);
    } catch (cause) {
      throw new SinkFault("what the sink is to keep cannot be told", { cause });
    }
  }

  function kept(event: WatchEvent<T>): WatchEvent<R> {
    return event.type === "BOOKMARK" ? event : { ...event, object: keep(event.object) };
  }

  /** No fault of the view, which goes on where the watch ended; but a server that does so again and again is asked less often. */
  async function pauseAfterEarlyEnd(waitMs: number): Promise<void> {
    lastError = kubeError({ kind: "protocol" }, `a watch of ${type.plural} ended as soon as it had begun`);
    options.onError?.(lastError);
    await sleep(clock, waitMs, signal);
  }

  async function recover(error: KubeError): Promise<void> {
    currency.lost();
    lastError = error;
    options.onError?.(error);
    const { from, waitMs } = recovery.afterFault(error);
    if (from === "list") resourceVersion = undefined;
    await sleep(clock, waitMs, signal);
  }

  function letGo(error: unknown): void {
    hasEnded = true;
    first.reject(error);
    seen.end(error);
  }

  // Nothing here handles a rejection of `ended`: a sink that throws is a mistake, and must not go by unseen.
  const ended = run().then(
    () => {
      letGo(kubeError({ kind: "aborted" }, `the reflector of ${type.plural} was stopped`));
    },
    (error: unknown) => {
      const fault = error instanceof SinkFault ? error.cause : error;
      letGo(fault);
      throw fault;
    },
  );
  return {
    synced: first.promise,
    get isCurrent() {
      return !hasEnded && currency.isCurrent;
    },
    get lastError() {
      return lastError;
    },
    get resourceVersion() {
      return resourceVersion;
    },
    whenSeen: (version, own) => seen.when(version, own),
    ended,
    stop() {
      stopping.abort();
      return ended;
    },
  };
}

/** That of another cluster, or of a restored backup: what it does not send may be anything. */
function backInTime(type: ResourceType): KubeError {
  const message = `a watch of ${type.plural} went back to an older resourceVersion`;
  return kubeError({ kind: "protocol" }, message);
}

/** A bug here must not be the end of a view that others rely on. */
function unexpected(type: ResourceType, cause: unknown): KubeError {
  return kubeError({ kind: "protocol" }, `what the server sent about ${type.plural} could not be read`, { cause });
}

/** Keeps what a sink throws apart from the faults of the watch itself, which are recovered from. */
class SinkFault extends Error {}

async function handOver(call: () => void | Promise<void>): Promise<void> {
  try {
    await call();
  } catch (cause) {
    throw new SinkFault("the sink threw", { cause });
  }
}

interface Deferred {
  readonly promise: Promise<void>;
  resolve(): void;
  reject(error: unknown): void;
}

function deferred(): Deferred {
  let settle: Omit<Deferred, "promise"> = { resolve: () => undefined, reject: () => undefined };
  const promise = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject };
  });
  // Whoever does not wait for it is told by `ended`.
  promise.catch(() => undefined);
  return { promise, ...settle };
}
