import type { KubeClient } from "../client/kube-client.ts";
import type { Selection } from "../client/options.ts";
import type { Clock } from "../clock.ts";
import type { KubeError } from "../errors/kube-error.ts";
import type { KubeObject } from "../kube-object.ts";
import type { ResourceType } from "../resource-type.ts";
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
  readonly random?: (() => number) | undefined;
}

export interface Reflector {
  /** Resolves at the first `replace`. Rejects when the reflector stops before that. */
  readonly synced: Promise<void>;
  /** The fault that it is recovering from, if any. */
  readonly lastError: KubeError | undefined;
  /** The newest resource version seen. */
  readonly resourceVersion: string | undefined;
  /** Resolves when it has stopped and the sink will not be called any more. */
  stop(): Promise<void>;
}

/** Lists, then watches for ever; starts at once. */
export function startReflector<T extends KubeObject>(
  client: KubeClient,
  type: ResourceType<T>,
  options: ReflectorOptions<T>,
): Reflector {
  throw new Error(`not there yet ${client.namespace} ${type.kind} ${typeof options}`);
}
