import type { KubeObject } from "@kindling/api-server";
import type { Term } from "@kindling/controller";
import type { Clock } from "@kindling/outside";
import type { Log } from "@kindling/service";
import type { Applications } from "../../views/applications/applications.ts";
import { isHeld } from "../executors/steps/own-objects.ts";
import { driverEnd } from "../driver-restarts/driver-end.ts";
import { takeAwayExecutor } from "../../cluster/take-away-executor.ts";
import { owningPods } from "../../spark/spark-pod.ts";
import type { ClusterWatch } from "../../cluster/cluster-watch.ts";
import { orphanReaper } from "./orphan-reaper.ts";
import type { Sweeper } from "./sweeper.ts";

export interface OrphanedExecutorsOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly cluster: ClusterWatch;
  readonly applications: Applications;
  /** How long executors may outlive their driver, or lack their claims. */
  readonly graceMs: number;
  readonly onReaped: () => void;
}

/** Deletes executors that nobody needs or completes any more, as far as cluster and applications tell. */
export function orphanedExecutors({ client }: Term, options: OrphanedExecutorsOptions): Sweeper {
  const { clock, log, cluster, applications, graceMs, onReaped } = options;
  return orphanReaper({
    ...{ clock, graceMs },
    pods: () => cluster.pods(),
    hasClaim: (executor, claim) =>
      cluster.claim(executor.metadata.namespace ?? "", claim) !== undefined ||
      owningPods(executor).some(({ uid }) => applications.get(uid)?.claims.get(claim) !== undefined),
    isForgotten: (executor) => isHeld(executor) && !applications.isCompleting(executor),
    endOf: (driver) => driverEnd(driver, clock.now())?.at,
    isCurrent: (namespace) => cluster.isCurrent(namespace),
    async reap(executor: KubeObject) {
      const { name, namespace } = executor.metadata;
      try {
        await takeAwayExecutor(client, executor);
        onReaped();
        log.info("an executor without its driver or its objects was deleted", { name, namespace });
      } catch (error) {
        // It is tried again.
        const fault = { name, namespace, error: String(error) };
        log.warn("an executor without its driver or its objects cannot be deleted", fault);
      }
    },
  });
}
