import { excessType, type Leave } from "@kindling/admission";
import { againAfter, type Controller, done, keyOf } from "@kindling/controller";
import type { KubeObject } from "@kindling/kube-objects";
import type { Clock } from "@kindling/outside";
import type { Farewell } from "../../admission/farewell.ts";
import type { SpotWish } from "../../admission/spot/spot-wish.ts";
import { capacityTypeOf } from "../../admission/spot/capacity-type.ts";
import type { ClusterWatch } from "../../cluster/cluster-watch.ts";
import { isOver } from "../../spark/driver-phase.ts";
import { hasEnded, isDriver, isExecutor, isGatewayDriver } from "../../spark/spark-pod.ts";

export interface SpotBalanceOptions {
  readonly clock: Clock;
  readonly cluster: ClusterWatch;
  /** How long a mix has to be off before an executor is asked to leave. */
  readonly patienceMs: number;
  readonly wishOf: (driver: KubeObject) => SpotWish | undefined;
  readonly leaveOf: (executor: KubeObject) => Leave;
  /** Whether an executor like this one could have a node of the other kind. */
  readonly couldMove: (executor: KubeObject) => boolean;
  readonly farewell: Pick<Farewell, "ask">;
}

/**
 * Keeps the mix of executors on spot nodes and on-demand nodes near the share, also after executors were lost or given back:
 * if it stays off, executors of the kind with too many are asked to leave, one after the other. Their driver asks for others
 * if it needs them, and these get the other kind. Only executors that can move their blocks are asked, and none while the
 * other kind cannot be had.
 */
export function spotBalance(options: SpotBalanceOptions): Controller {
  const { clock, cluster, patienceMs, wishOf, leaveOf, couldMove, farewell } = options;
  /** Since when the mix of an application has been off, by the uid of the driver, by the monotonic clock. */
  const since = new Map<string, number>();

  async function balance(driver: KubeObject, wish: SpotWish): Promise<void> {
    const { uid, namespace = "" } = driver.metadata;
    const executors = cluster
      .podsOwnedBy(namespace, driver.metadata)
      .filter((pod) => isExecutor(pod) && !hasEnded(pod) && pod.metadata.deletionTimestamp === undefined);
    const of = (type: string): KubeObject[] => executors.filter((pod) => capacityTypeOf(pod) === type);
    const mix = { spot: of("spot").length, "on-demand": of("on-demand").length };
    const excess = wish.waiting > 0 ? undefined : excessType(wish.rule, mix, wish.minimum);
    const now = clock.monotonic();
    if (excess === undefined) return void since.delete(uid);
    const began = since.get(uid) ?? now;
    since.set(uid, began);
    if (now - began < patienceMs) return;
    const latest = of(excess)
      .toSorted((a, b) => (a.metadata.creationTimestamp < b.metadata.creationTimestamp ? 1 : -1))
      .find((pod) => leaveOf(pod) === "graceful");
    if (latest === undefined || !couldMove(latest)) return;
    since.delete(uid);
    const message = `asked to leave, because more executors are on ${excess} nodes than the application's share allows; it moves its blocks first`;
    await farewell.ask(latest, { reason: "SpotShare", message });
  }

  return {
    name: "spot-balance",
    watches: [cluster.podKeys((pod) => (isDriver(pod) && isGatewayDriver(pod) ? [keyOf(pod.metadata)] : []))],
    workers: 1,
    async reconcile(key) {
      const driver = cluster.podAt(key);
      if (driver === undefined || isOver(driver)) return done;
      const wish = wishOf(driver);
      if (wish === undefined) since.delete(driver.metadata.uid);
      else await balance(driver, wish);
      // Executors come and go all the time, and the rule of a queue may change.
      return againAfter(patienceMs / 2);
    },
  };
}
