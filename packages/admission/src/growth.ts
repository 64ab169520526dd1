import type { PolicySettings, PolicySnapshot } from "./admission-plan.ts";
import type { RoomRequest } from "./ledger/application-account.ts";
import { Ledger } from "./ledger/ledger.ts";
import type { Placement } from "./placement.ts";
import type { PodShape } from "./pod-shape.ts";
import { subtract, type Resources } from "./resources.ts";
import { isKeptFor } from "./rounds/is-kept-for.ts";
import { playRound } from "./rounds/round.ts";
import { wantsOf } from "./rounds/wants.ts";

/** An executor that is to be resized in place. */
export interface Growth {
  readonly application: string;
  readonly executor: string;
  /** The executor's new shape. */
  readonly pod: PodShape;
}

/** Why an executor may not have more. */
export type GrowthRefusal =
  /** There is no such executor, or it has no node, was asked to leave, or is in no queue. */
  | { readonly kind: "unknown" }
  | { readonly kind: "ceiling"; readonly queue: string }
  | { readonly kind: "quota"; readonly quota: string }
  /** Its node, or the whole capacity, has too little left for it. */
  | { readonly kind: "room" };

/**
 * Why an executor may not have more resources; undefined if it may. It may have them out of what is left after all waiting
 * applications have been served and room has been kept for others. So it overtakes nobody. Shrinking is always allowed.
 */
export function refusedGrowth(
  snapshot: PolicySnapshot,
  settings: Pick<PolicySettings, "keepMs">,
  { application, executor, pod }: Growth,
): GrowthRefusal | undefined {
  const ledger = new Ledger(snapshot);
  const account = ledger.applications.find(({ demand }) => demand.id === application);
  const present = account?.demand.present.find(({ id }) => id === executor);
  if (account === undefined || account.queue === ledger.queues.root) return { kind: "unknown" };
  if (present?.node === undefined || present.state === "leaving") return { kind: "unknown" };
  const known = ledger.applications.filter(({ queue }) => queue !== ledger.queues.root);
  playRound(
    ledger,
    known.map((one) => wantsOf(ledger, one)),
    (request) => ledger.meet(request),
    (request) => isKeptFor(request.application.demand, snapshot.now, settings.keepMs),
  );
  const more = ledger.shapeOf({
    requests: growthOf(present.pod.requests, pod.requests),
    limits: {},
    placement: onNode(present.node),
  });
  const request: RoomRequest = {
    application: account,
    what: "surplus",
    pods: [{ shape: more, count: 1 }],
    amounts: more.amounts,
    // The new cost of the pod instead of its present cost.
    uncounted: [
      { shape: ledger.shapeOf(pod), count: 1 },
      { shape: ledger.shapeOf(present.pod), count: -1 },
    ],
  };
  const obstacle = ledger.meet(request);
  switch (obstacle?.kind) {
    case undefined:
      return undefined;
    case "ceiling":
      return { kind: "ceiling", queue: obstacle.queue.path };
    case "quota":
      return { kind: "quota", quota: obstacle.quota.quota.name };
    case "room":
      return { kind: "room" };
  }
}

function growthOf(before: Resources, after: Resources): Resources {
  return Object.fromEntries(Object.entries(subtract(after, before)).filter(([, amount]) => amount > 0));
}

/** Only this node, whatever its taints: the pod is already there. */
function onNode(name: string): Placement {
  return {
    nodeSelector: {},
    nodeAffinity: [{ matchFields: [{ key: "metadata.name", operator: "In", values: [name] }] }],
    tolerations: [{ operator: "Exists" }],
  };
}
