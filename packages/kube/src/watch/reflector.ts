import type { KubeClient } from "../client/kube-client.ts";
import type { Selection } from "../client/options.ts";
import { sleep, systemClock, type Clock } from "../clock.ts";
import { isKubeError, kubeError, type KubeError } from "../errors/kube-error.ts";
import { isExpired } from "../errors/status.ts";
import type { KubeObject } from "../kube-object.ts";
import type { ResourceType } from "../resource-type.ts";
import { createBackoff } from "./backoff.ts";
import type { KubeList } from "./list-pages.ts";
import type { WatchEvent } from "./watch-event.ts";

/** Where a reflector puts what it sees. Called in order and never concurrently with itself; may answer a promise. */
export interface ReflectorSink<T extends KubeObject = KubeObject> {
  /** The whole selection as of a resource version: at the start and after each gap. */
  replace(items: T[], resourceVersion: string): void | Promise<void>;
  apply(event: WatchEvent<T>): void | Promise<void>;
}

export interface ReflectorOptions<T extends KubeObject = KubeObject> extends Selection {
  readonly sink: ReflectorSink<T>;
  /** Begin with this state instead of a list. */
  readonly initial?: KubeList<T> | undefined;
  readonly pageSize?: number | undefined;
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
  /** The fault that it is recovering from, if any. */
  readonly lastError: KubeError | undefined;
  /** The newest resource version seen. */
  readonly resourceVersion: string | undefined;
  /** Resolves when it was stopped. Rejects when the sink threw, after which the sink's view could not be trusted. */
  readonly ended: Promise<void>;
  /** Resolves when it has stopped and the sink will not be called any more. */
  stop(): Promise<void>;
}

/** An ill server sees one attempt in half a minute from each reflector, and they do not come in step. */
const BACKOFF = { baseMs: 500, capMs: 30_000, resetAfterMs: 60_000 };
/** A watch that ends sooner and without an event is a fault, too: else a server that does so is asked in a tight loop. */
const SHORTEST_SOUND_WATCH_MS = 1_000;

/**
 * Lists, then watches for ever; starts at once. A watch that ends or breaks goes on from the last resource version seen,
 * bookmarks included; when the server has forgotten that one (410), there is a new list. Faults are met with growing
 * pauses and never end it.
 */
export function startReflector<T extends KubeObject>(
  client: KubeClient,
  type: ResourceType<T>,
  options: ReflectorOptions<T>,
): Reflector {
  const { clock = systemClock, random = Math.random } = options;
  const { namespace, allNamespaces, labelSelector, fieldSelector, pageSize, timeoutSeconds, idleTimeoutMs } = options;
  const selection = { namespace, allNamespaces, labelSelector, fieldSelector };
  const stopping = new AbortController();
  const { signal } = stopping;
  const backoff = createBackoff({ ...BACKOFF, clock, random });
  const first = deferred();
  let resourceVersion: string | undefined;
  let lastError: KubeError | undefined;

  async function run(): Promise<void> {
    if (options.initial !== undefined) await replace(options.initial);
    while (!signal.aborted) {
      try {
        if (resourceVersion === undefined)
          await replace(await client.listAll(type, { ...selection, pageSize, signal }));
        else await watchFrom(resourceVersion);
      } catch (error) {
        if (!isKubeError(error)) throw error;
        if (!signal.aborted) await recover(error);
      }
    }
  }

  async function replace(list: KubeList<T>): Promise<void> {
    await handOver(() => options.sink.replace(list.items, list.resourceVersion));
    resourceVersion = list.resourceVersion;
    lastError = undefined;
    first.resolve();
  }

  async function watchFrom(start: string): Promise<void> {
    const startedAt = clock.now();
    const watching = { ...selection, resourceVersion: start, timeoutSeconds, idleTimeoutMs, signal };
    let isSilent = true;
    for await (const event of client.watch(type, watching)) {
      await handOver(() => options.sink.apply(event));
      resourceVersion = event.resourceVersion;
      lastError = undefined;
      isSilent = false;
    }
    if (isSilent && clock.now() - startedAt < SHORTEST_SOUND_WATCH_MS) {
      throw kubeError({ kind: "protocol" }, `a watch of ${type.plural} ended at once and without an event`);
    }
  }

  async function recover(error: KubeError): Promise<void> {
    lastError = error;
    options.onError?.(error);
    if (isExpired(error)) resourceVersion = undefined;
    await sleep(clock, backoff.next(), signal);
  }

  const ended = run().catch((error: unknown) => {
    throw error instanceof SinkFault ? error.cause : error;
  });
  ended.then(
    () => first.reject(kubeError({ kind: "aborted" }, `the reflector of ${type.plural} was stopped`)),
    (error: unknown) => first.reject(error),
  );
  return {
    synced: first.promise,
    get lastError() {
      return lastError;
    },
    get resourceVersion() {
      return resourceVersion;
    },
    ended,
    stop() {
      stopping.abort();
      return ended;
    },
  };
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
