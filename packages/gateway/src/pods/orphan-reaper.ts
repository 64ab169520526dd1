import type { KubeObject } from "@kindling/api-server";
import type { Clock } from "@kindling/outside";
import { driversOf, hasEnded, isDriver, isExecutor } from "../spark/spark-pod.ts";
import { isMade } from "../views/marks.ts";

export interface OrphanReaperOptions {
  readonly clock: Clock;
  /** How long executors may outlive their driver. */
  readonly graceMs: number;
  /** All pods of Spark's that are known. */
  readonly pods: () => Iterable<KubeObject>;
  /** Whether what is not known of a namespace is not there. */
  readonly isCurrent: (namespace: string) => boolean;
  readonly reap: (executor: KubeObject) => Promise<void>;
}

/**
 * Deletes executors whose driver is gone or has ended, and that have not ended themselves. Kubernetes deletes what a
 * deleted pod owned; but a driver that failed is kept for people to look at, and its executors may wait for ever. Those
 * that no gateway has made are left alone.
 */
export class OrphanReaper {
  readonly #options: OrphanReaperOptions;
  /** Since when executors have had no driver, by uid. */
  readonly #orphans = new Map<string, number>();
  #cancel: () => void = () => undefined;
  #isStopped = false;

  constructor(options: OrphanReaperOptions) {
    this.#options = options;
    this.#lookLater();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  async #look(): Promise<void> {
    const { clock, graceMs, pods, isCurrent, reap } = this.#options;
    const now = clock.monotonic();
    const found = orphansIn(pods()).filter(({ metadata }) => isCurrent(metadata.namespace ?? ""));
    const uids = new Set(found.map(({ metadata }) => metadata.uid));
    for (const uid of this.#orphans.keys()) if (!uids.has(uid)) this.#orphans.delete(uid);
    for (const orphan of found) {
      const since = this.#orphans.get(orphan.metadata.uid) ?? now;
      this.#orphans.set(orphan.metadata.uid, since);
      if (now - since >= graceMs) await reap(orphan);
    }
  }

  #lookLater(): void {
    if (this.#isStopped) return;
    const wait = Math.max(1_000, this.#options.graceMs / 4);
    this.#cancel = this.#options.clock.after(wait, () => void this.#look().finally(() => this.#lookLater()));
  }
}

/** Executors of a gateway's making that run without a driver. */
function orphansIn(pods: Iterable<KubeObject>): KubeObject[] {
  const all = [...pods];
  const drivers = new Set(all.filter((pod) => isDriver(pod) && !hasEnded(pod)).map(({ metadata }) => metadata.uid));
  return all.filter(
    (pod) =>
      isMade(pod) &&
      isExecutor(pod) &&
      !hasEnded(pod) &&
      pod.metadata.deletionTimestamp === undefined &&
      !driversOf(pod).some((uid) => drivers.has(uid)),
  );
}
