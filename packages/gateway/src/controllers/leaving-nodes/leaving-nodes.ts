import type { Leave } from "@kindling/admission";
import { againAfter, type Controller, done, type Watch } from "@kindling/controller";
import type { KubeObject } from "@kindling/kube-objects";
import type { Clock } from "@kindling/outside";
import type { Farewell } from "../../admission/farewell.ts";
import { departureOf } from "../../admission/nodes-to-come/departure.ts";
import type { ClusterWatch } from "../../cluster/cluster-watch.ts";
import { applicationIdOf, hasEnded, isExecutor } from "../../spark/spark-pod.ts";
import type { EvictionGuard } from "./eviction-guard.ts";
import { LeaveInTurns } from "./leave-in-turns.ts";

export interface LeavingNodesOptions {
  readonly cluster: ClusterWatch;
  /** The names of the nodes. */
  readonly nodes: Watch;
  readonly node: (name: string) => KubeObject | undefined;
  /** How an executor can be taken away. `never` as long as it is still being found out. */
  readonly leaveOf: (executor: KubeObject) => Leave;
  readonly farewell: Pick<Farewell, "ask">;
  readonly clock: Pick<Clock, "now">;
  readonly guard: Pick<EvictionGuard, "hold" | "release">;
}

/** How long it takes to find out how executors can leave, and to see that they were asked. */
const AGAIN_MS = 1_000;

/**
 * Asks executors to leave as soon as something announces that their node goes: so they move their blocks in the time that a
 * cloud gives, and not only in the grace period of their eviction. The executors that began first are asked first, because
 * they have the most blocks. If an application has executors on no other node, only half of them are asked, and the others
 * when there are. Executors that would lose their work by it are left alone: they may still finish their tasks.
 */
export function leavingNodes(options: LeavingNodesOptions): Controller {
  const { cluster, nodes, node, leaveOf, farewell, clock, guard } = options;
  const departureAt = (name: string): string | undefined => {
    const found = node(name);
    return found && departureOf(found);
  };
  const turns = new LeaveInTurns(() => clock.now(), {
    isLeaving: (name) => departureAt(name) !== undefined,
    podsOfSame: (executor) => cluster.podsOf(executor.metadata.namespace ?? "", applicationIdOf(executor) ?? ""),
  });
  return {
    name: "leaving-nodes",
    watches: [nodes],
    workers: 8,
    async reconcile(name) {
      const departure = departureAt(name);
      const executors =
        departure === undefined ? [] : cluster.podsOn(name).filter((pod) => isExecutor(pod) && !isGoing(pod));
      if (departure === undefined || executors.length === 0) {
        turns.forget(name);
        await guard.release(name);
        return done;
      }
      const movable = executors.filter((executor) => leaveOf(executor) === "graceful").toSorted(byAge);
      const parts = byApplication(movable).map((all) => turns.turnOf(name, all));
      for (const { later } of parts) await guard.hold(name, later);
      if (parts.every(({ later }) => later.length === 0)) await guard.release(name);
      const message = `asked to leave, because its node ${name} goes (${departure}); it moves its blocks first`;
      const order = { reason: "NodeLeaves", message } as const;
      for (const executor of parts.flatMap(({ now }) => now)) await farewell.ask(executor, order);
      return againAfter(AGAIN_MS);
    },
  };
}

function isGoing(pod: KubeObject): boolean {
  return hasEnded(pod) || pod.metadata.deletionTimestamp !== undefined;
}

function byAge(a: KubeObject, b: KubeObject): number {
  return a.metadata.creationTimestamp < b.metadata.creationTimestamp ? -1 : 1;
}

function byApplication(executors: readonly KubeObject[]): KubeObject[][] {
  const found = new Map<string, KubeObject[]>();
  for (const executor of executors) {
    const key = `${executor.metadata.namespace ?? ""}/${applicationIdOf(executor) ?? ""}`;
    found.set(key, [...(found.get(key) ?? []), executor]);
  }
  return [...found.values()];
}
