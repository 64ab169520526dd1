import type { KubeObject } from "@kindling/kube-objects";
import { endOfExecutor } from "./keeper-step.ts";

/** A keeper, and the queue in which it counts. */
export interface QueuedKeeper {
  readonly pod: KubeObject;
  readonly queue: string;
}

/** The keepers that have to go, because their queue has more than it may have: those whose executors ended first. */
export function tooMany(keepers: readonly QueuedKeeper[], most: number): KubeObject[] {
  const byQueue = new Map<string, QueuedKeeper[]>();
  for (const keeper of keepers) {
    const others = byQueue.get(keeper.queue);
    if (others === undefined) byQueue.set(keeper.queue, [keeper]);
    else others.push(keeper);
  }
  return [...byQueue.values()].flatMap((all) =>
    oldestFirst(all)
      .slice(0, Math.max(0, all.length - most))
      .map(({ pod }) => pod),
  );
}

/** Those first whose executors ended first. */
export function oldestFirst<K extends QueuedKeeper>(keepers: readonly K[]): K[] {
  return keepers
    .map((keeper) => ({ keeper, name: keeper.pod.metadata.name, ended: endOfExecutor(keeper.pod) ?? 0 }))
    .toSorted((a, b) => a.ended - b.ended || (a.name < b.name ? -1 : 1))
    .map(({ keeper }) => keeper);
}
