import type { PolicySettings, PolicySnapshot } from "./admission-plan.ts";
import type { Claim } from "./ledger/application-account.ts";
import { Ledger } from "./ledger/ledger.ts";
import type { Placement } from "./placement.ts";
import type { PodShape } from "./pod-shape.ts";
import { subtract, type Resources } from "./resources.ts";
import { isKeptFor } from "./rounds/is-kept-for.ts";
import { playRound } from "./rounds/round.ts";
import { wantsOf } from "./rounds/wants.ts";

/** An executor that is to have other resources where it is. */
export interface Growth {
  readonly application: string;
  readonly executor: string;
  /** What it will ask for. */
  readonly pod: PodShape;
}

/** Why an executor may not have more. */
export type GrowthRefusal =
  /** There is no such executor, or it is on no node, or asked to leave, or in no queue. */
  | { readonly kind: "unknown" }
  | { readonly kind: "ceiling"; readonly queue: string }
  | { readonly kind: "quota"; readonly quota: string }
  /** Its node, or what there is in all, has too little left for it. */
  | { readonly kind: "room" };

/**
 * Whether an executor may have more: out of what is left when all who wait have been served, and what is kept for others has
 * been kept. It passes nobody, and what shrinks always may. Undefined if it may.
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
    (claim) => ledger.meet(claim),
    (claim) => isKeptFor(claim.application.demand, snapshot.now, settings.keepMs),
  );
  const more = ledger.shapeOf({
    requests: growthOf(present.pod.requests, pod.requests),
    limits: {},
    placement: onNode(present.node),
  });
  const claim: Claim = {
    application: account,
    what: "surplus",
    pods: [{ shape: more, count: 1 }],
    amounts: more.amounts,
    // What the pod costs instead of what it costs now.
    uncounted: [
      { shape: ledger.shapeOf(pod), count: 1 },
      { shape: ledger.shapeOf(present.pod), count: -1 },
    ],
  };
  const obstacle = ledger.meet(claim);
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

/** The one node, whatever its taints: the pod is there. */
function onNode(name: string): Placement {
  return {
    nodeSelector: {},
    nodeAffinity: [{ matchFields: [{ key: "metadata.name", operator: "In", values: [name] }] }],
    tolerations: [{ operator: "Exists" }],
  };
}
