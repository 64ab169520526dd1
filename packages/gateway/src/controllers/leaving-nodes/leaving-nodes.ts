import type { Leave } from "@kindling/admission";
import { againAfter, type Controller, done, type Watch } from "@kindling/controller";
import type { KubeObject } from "@kindling/kube-objects";
import type { Farewell } from "../../admission/farewell.ts";
import { departureOf } from "../../admission/nodes-to-come/departure.ts";
import type { ClusterWatch } from "../../cluster/cluster-watch.ts";
import { hasEnded, isExecutor } from "../../spark/spark-pod.ts";

export interface LeavingNodesOptions {
  readonly cluster: ClusterWatch;
  /** The names of the nodes. */
  readonly nodes: Watch;
  readonly node: (name: string) => KubeObject | undefined;
  /** How an executor can be taken away. `never` as long as it is still being found out. */
  readonly leaveOf: (executor: KubeObject) => Leave;
  readonly farewell: Pick<Farewell, "ask">;
}

/** How long it takes to find out how executors can leave, and to see that they were asked. */
const AGAIN_MS = 1_000;

/**
 * Asks executors to leave as soon as something announces that their node goes: so they move their blocks in the time that a
 * cloud gives, and not only in the grace period of their eviction. The executors that began first are asked first, because
 * they have the most blocks. Executors that would lose their work by it are left alone: they may still finish their tasks.
 */
export function leavingNodes({ cluster, nodes, node, leaveOf, farewell }: LeavingNodesOptions): Controller {
  return {
    name: "leaving-nodes",
    watches: [nodes],
    workers: 8,
    async reconcile(name) {
      const found = node(name);
      const departure = found && departureOf(found);
      if (departure === undefined) return done;
      const executors = cluster
        .podsOn(name)
        .filter((pod) => isExecutor(pod) && !hasEnded(pod) && pod.metadata.deletionTimestamp === undefined)
        .toSorted((a, b) => (a.metadata.creationTimestamp < b.metadata.creationTimestamp ? -1 : 1));
      for (const executor of executors) {
        if (leaveOf(executor) !== "graceful") continue;
        const message = `asked to leave, because its node ${name} goes (${departure}); it moves its blocks first`;
        await farewell.ask(executor, { reason: "NodeLeaves", message });
      }
      return executors.length === 0 ? done : againAfter(AGAIN_MS);
    },
  };
}
