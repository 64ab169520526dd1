import type { KubeObject } from "@kindling/api-server";
import type { KubeClient } from "@kindling/kube";
import type { Clock } from "@kindling/outside";
import type { Log } from "@kindling/service";
import { isDriver } from "../spark/spark-pod.ts";
import type { ClusterWatch } from "../upstream/cluster-watch.ts";
import type { KnownSet, SetWatch } from "../upstream/set-watch.ts";
import { takeAway } from "../upstream/take-away.ts";
import { UPSTREAM } from "../upstream/upstream-types.ts";
import { WANTED_REPLICAS } from "../views/marks.ts";
import { isOver } from "../spark/driver-phase.ts";

export interface SetReaperOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly cluster: Pick<ClusterWatch, "isCurrent" | "pod">;
  readonly sets: Pick<SetWatch, "all">;
  /** How long a set may outlive its driver. */
  readonly graceMs: number;
}

/**
 * Deletes sets whose driver has ended. Kubernetes deletes what a deleted pod owned; but a driver that failed is kept for
 * people to look at. A set of which nothing was admitted has no executor by which anybody would find it.
 */
export class SetReaper {
  readonly #options: SetReaperOptions;
  /** Since when sets have had no driver, by uid. */
  readonly #orphans = new Map<string, number>();
  #cancel: () => void = () => undefined;
  #isStopped = false;

  constructor(options: SetReaperOptions) {
    this.#options = options;
    this.#lookLater();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  async #look(): Promise<void> {
    const { clock, sets, graceMs } = this.#options;
    const now = clock.monotonic();
    const orphans = [...sets.all()].filter(({ object }) => this.#isOrphan(object));
    const uids = new Set(orphans.map(({ object }) => object.metadata.uid));
    for (const uid of this.#orphans.keys()) if (!uids.has(uid)) this.#orphans.delete(uid);
    for (const orphan of orphans) {
      const { uid } = orphan.object.metadata;
      const since = this.#orphans.get(uid) ?? now;
      this.#orphans.set(uid, since);
      if (now - since >= graceMs) await this.#reap(orphan);
    }
  }

  #isOrphan({ metadata }: KubeObject): boolean {
    const { namespace = "", annotations, deletionTimestamp, ownerReferences = [] } = metadata;
    const { cluster } = this.#options;
    const isOurs = annotations?.[WANTED_REPLICAS] !== undefined && deletionTimestamp === undefined;
    if (!isOurs || !cluster.isCurrent(namespace)) return false;
    return !ownerReferences.some(({ apiVersion, kind, name, uid }) => {
      const pod = cluster.pod(namespace, name);
      const isIt = apiVersion === "v1" && kind === "Pod" && pod?.metadata.uid === uid;
      return isIt && isDriver(pod) && !isOver(pod);
    });
  }

  async #reap({ kind, object }: KnownSet): Promise<void> {
    const { client, log } = this.#options;
    const { name, namespace } = object.metadata;
    try {
      await takeAway(client, UPSTREAM[kind], object);
      log.info("a set of executors without its driver was deleted", { kind, name, namespace });
    } catch (error) {
      // It is tried again.
      log.warn("a set of executors without its driver cannot be deleted", {
        ...{ kind, name, namespace },
        error: String(error),
      });
    }
  }

  #lookLater(): void {
    if (this.#isStopped) return;
    const wait = Math.max(1_000, this.#options.graceMs / 4);
    this.#cancel = this.#options.clock.after(wait, () => void this.#look().finally(() => this.#lookLater()));
  }
}
