import type { KubeObjectLike } from "@kindling/kube-objects";
import type { WatchEvent } from "../answers/watch-event.ts";
import type { KubeList } from "../client/list-pages.ts";
import type { ReflectorOptions } from "./reflector-options.ts";

/** An error that a sink throws. It is kept apart from faults of the watch itself, which are retried. */
export class SinkFault extends Error {}

/** A sink, and the function that reduces each object; both reject only with {@link SinkFault}. */
export interface GuardedSink<T, R> {
  keep(object: T): R;
  replace(list: KubeList<R>): Promise<void>;
  apply(event: WatchEvent<T>): Promise<void>;
}

export function guardedSink<T extends KubeObjectLike, R>({
  sink,
  ...options
}: Pick<ReflectorOptions<T, R>, "sink" | "keep">): GuardedSink<T, R> {
  function keep(object: T): R {
    // Without a function that reduces objects, T and R are the same type.
    if (options.keep === undefined) return object as unknown as R;
    try {
      return options.keep(object);
    } catch (cause) {
      throw new SinkFault("what the sink keeps of an object cannot be determined", { cause });
    }
  }

  function kept(event: WatchEvent<T>): WatchEvent<R> {
    return event.type === "BOOKMARK" ? event : { ...event, object: keep(event.object) };
  }

  return {
    keep,
    replace: (list) => handOver(() => sink.replace(list.items, list.resourceVersion)),
    apply: (event) => handOver(() => sink.apply(kept(event))),
  };
}

async function handOver(call: () => void | Promise<void>): Promise<void> {
  try {
    await call();
  } catch (cause) {
    throw new SinkFault("the sink threw", { cause });
  }
}
