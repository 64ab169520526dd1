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
  for (const keeper of keepers) byQueue.set(keeper.queue, [...(byQueue.get(keeper.queue) ?? []), keeper]);
  return [...byQueue.values()].flatMap((all) =>
    all
      .map(({ pod }) => ({ pod, ended: endOfExecutor(pod) ?? 0 }))
      .toSorted((a, b) => a.ended - b.ended || (a.pod.metadata.name < b.pod.metadata.name ? -1 : 1))
      .slice(0, Math.max(0, all.length - most))
      .map(({ pod }) => pod),
  );
}
