import type { KubeObjectLike } from "@kindling/kube-objects";
import type { Clock } from "@kindling/outside";
import type { WatchEvent } from "../answers/watch-event.ts";
import type { KubeList } from "../client/list-pages.ts";
import type { ListLimits, Selection } from "../client/options.ts";
import type { KubeError } from "../errors/kube-error.ts";

/** Where a reflector puts what it sees. Called in order and never concurrently with itself; may return a promise. */
export interface ReflectorSink<T = KubeObjectLike> {
  /** All selected objects at a resource version: at the start and after each gap. */
  replace(items: T[], resourceVersion: string): void | Promise<void>;
  apply(event: WatchEvent<T>): void | Promise<void>;
}

export interface ReflectorOptions<T extends KubeObjectLike = KubeObjectLike, R = T> extends Selection {
  readonly sink: ReflectorSink<R>;
  /**
   * Reduces each object to the record that the sink keeps; default: the whole object. It is called as soon as a page or an
   * event has come, so that only one page of whole objects is in memory at a time.
   */
  readonly keep?: ((object: T) => R) | undefined;
  /** Begin with this state instead of a list. */
  readonly initial?: KubeList<R> | undefined;
  readonly pageSize?: number | undefined;
  /** What a list may cost. */
  readonly limits?: Partial<ListLimits> | undefined;
  readonly timeoutSeconds?: number | undefined;
  readonly idleTimeoutMs?: number | undefined;
  /** Told of each fault; the reflector continues by itself. */
  readonly onError?: ((error: KubeError) => void) | undefined;
  readonly clock?: Clock | undefined;
  /** Uniform in [0, 1), for jitter. */
  readonly random?: (() => number) | undefined;
}
