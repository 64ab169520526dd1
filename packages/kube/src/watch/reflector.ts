import type { KubeObjectLike } from "@kindling/kube-objects";
import { systemClock } from "@kindling/outside";
import type { KubeClient } from "../client/kube-client.ts";
import { kubeError, type KubeError } from "../errors/kube-error.ts";
import type { ResourceType } from "../resource-type.ts";
import { guardedSink, SinkFault } from "./guarded-sink.ts";
import { reflect } from "./reflect.ts";
import { reflectedView } from "./reflected-view.ts";
import type { ReflectorOptions } from "./reflector-options.ts";
import { watchRecovery } from "./watch-recovery.ts";

export interface Reflector {
  /** Resolves at the first `replace`. Rejects when the reflector ends before that. */
  readonly synced: Promise<void>;
  /**
   * Whether the sink's view is current: it holds what the server has sent, no fault has come since, and a watch is open or
   * the next one about to be. Then it contains everything that happened longer ago than `idleTimeoutMs`. When it is not
   * current, objects that the sink lacks may exist, and objects that it holds may be gone. See `currency.ts`.
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
   * Rejects with `aborted` when the signal aborts or the reflector stops, with `protocol` for a text that is not a number.
   */
  whenSeen(resourceVersion: string, signal?: AbortSignal): Promise<void>;
  /**
   * Resolves when it was stopped. Rejects when the sink threw, because the sink's view cannot be trusted after that. If
   * nobody handles this, the process ends, as with any rejection.
   */
  readonly ended: Promise<void>;
  /** Resolves when it has stopped and the sink will not be called any more. */
  stop(): Promise<void>;
}

/**
 * Lists, then watches for ever; starts at once. A watch that ends or breaks continues from the last resource version seen,
 * bookmarks included, or with a new list; `watch-recovery.ts` says which, and when. No answer of a server ends it.
 */
export function startReflector<T extends KubeObjectLike, R = T>(
  client: KubeClient,
  type: ResourceType<T>,
  options: ReflectorOptions<T, R>,
): Reflector {
  const { clock = systemClock, random = Math.random } = options;
  const stopping = new AbortController();
  const view = reflectedView(clock);
  const running = reflect({
    client,
    type,
    options,
    sink: guardedSink(options),
    view,
    recovery: watchRecovery(clock, random),
    clock,
    signal: stopping.signal,
  });
  // A rejection of `ended` is not handled here: a sink that throws is a bug, and must not stay unnoticed.
  const ended = running.then(
    () => {
      view.end(kubeError({ kind: "aborted" }, `the reflector of ${type.plural} was stopped`));
    },
    (error: unknown) => {
      const fault = error instanceof SinkFault ? error.cause : error;
      view.end(fault);
      throw fault;
    },
  );
  return {
    synced: view.synced,
    get isCurrent() {
      return view.isCurrent;
    },
    get lastError() {
      return view.lastError;
    },
    get resourceVersion() {
      return view.resourceVersion;
    },
    whenSeen: (version, own) => view.whenSeen(version, own),
    ended,
    stop() {
      stopping.abort();
      return ended;
    },
  };
}
