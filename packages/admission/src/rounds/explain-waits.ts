import type { RefusingClass, Wait, WaitReason } from "../admission-plan.ts";
import { inTurn, minimumCount, waitingCount, type ApplicationDemand } from "../application-demand.ts";
import type { Ledger, Obstacle } from "../ledger/ledger.ts";
import type { NodeClass } from "../nodes-to-come/node-class.ts";
import { requestsOf, type Batch } from "../ledger/shape.ts";
import { type ClassRefusal, classRefusal, limitRefusal } from "../nodes-to-come/class-refusal.ts";
import { fits, subtract, type ResourceLimits, type Resources } from "../resources.ts";
import { limitOf } from "./limit-of.ts";
import type { RoundOutcome, Stopped } from "./round.ts";
import { unserved, type Wants } from "./wants.ts";

/**
 * Why applications wait after a round. After this, nothing is kept any more. The application that goes first in a queue is
 * first.
 */
export function explainWaits(
  ledger: Ledger,
  all: readonly Wants[],
  { stopped, keptFor }: RoundOutcome,
): readonly Wait[] {
  const waiting = all
    .map((wants) => ({ wants, stop: stopped.get(wants.account) }))
    .filter(({ wants, stop }) => stop !== undefined || wants.hopeless !== undefined)
    .toSorted((a, b) => inTurn(a.wants.account.demand, b.wants.account.demand))
    // Kept amounts count for ceilings and quotas, but must be released before room is checked.
    .map(({ wants, stop }) => ({ wants, stop, limit: limitReason(ledger, wants, stop) }));
  ledger.unkeep();
  const { left, classes } = ledger.room;
  const inLine = new Map<string, number>();
  return waiting.map(({ wants, stop, limit }): Wait => {
    const { account, hopeless, minimum, surplus } = wants;
    const { id, queue } = account.demand;
    const request = hopeless?.request ?? stop?.request;
    const pods = request?.pods ?? [];
    const ahead = inLine.get(queue) ?? 0;
    inLine.set(queue, ahead + 1);
    const reason = limit ?? roomReason(ledger, pods, keptFor, left);
    return {
      application: id,
      queue,
      what: request?.what ?? "surplus",
      executors:
        request?.what === "start"
          ? minimumCount(account.demand)
          : unserved(minimum) + unserved(surplus) + (account.demand.unlisted ?? 0),
      needs: requestsOf(pods),
      reason,
      ahead,
      roomToCome: false,
      holders: [],
      classes: isForRoom(reason) ? refusalsBy(classes, withoutRoom(ledger, pods)) : [],
    };
  });
}

function isForRoom(reason: WaitReason): boolean {
  if (reason.kind === "outside" || reason.kind === "never") return reason.limit.kind === "capacity";
  return reason.kind === "capacity" || reason.kind === "fragments";
}

/** The pods that have no room even without the others; all, if there is room for each kind alone. */
function withoutRoom({ room }: Ledger, pods: readonly Batch[]): readonly Batch[] {
  const without = pods.filter((batch) => !room.wouldHold([batch], "now"));
  return without.length > 0 ? without : pods;
}

/** From what concerns the class least to what can change soonest. */
const STAGES: readonly ClassRefusal["kind"][] = [
  ...(["named-node", "label", "taint", "too-large"] as const),
  ...(["unready", "avoided", "limit"] as const),
];

/** Why each class does not take these pods. The class that comes nearest to taking one is first. */
function refusalsBy(classes: readonly NodeClass[], pods: readonly Batch[]): readonly RefusingClass[] {
  const stageOf = ({ kind }: ClassRefusal): number => STAGES.indexOf(kind);
  return classes
    .flatMap((nodeClass): RefusingClass[] => {
      const refusals = pods.flatMap(
        ({ shape: { pod }, count }) =>
          classRefusal(pod, nodeClass) ?? limitRefusal(pod.requests, count, nodeClass) ?? [],
      );
      const [refusal] = refusals.toSorted((a, b) => stageOf(b) - stageOf(a));
      return refusal === undefined ? [] : [{ name: nodeClass.name, refusal }];
    })
    .toSorted((a, b) => stageOf(b.refusal) - stageOf(a.refusal));
}

/** The wait of an application without a queue: it may not use the named queue, or this queue does not exist or has children. */
export function withoutQueue(demand: ApplicationDemand): Wait {
  const { id, queue, refusal, driver, waiting } = demand;
  return {
    application: id,
    queue,
    what: driver.state === "gated" ? "start" : "surplus",
    executors: driver.state === "gated" ? minimumCount(demand) : waitingCount(demand),
    needs: driver.state === "gated" ? driver.pod.requests : (waiting[0]?.pod.requests ?? {}),
    reason: refusal === undefined ? { kind: "no-queue" } : { kind: "not-allowed", mayUse: refusal.mayUse },
    ahead: 0,
    roomToCome: false,
    holders: [],
    classes: [],
  };
}

/** The reason, if it is not lack of room. */
function limitReason(ledger: Ledger, { hopeless }: Wants, stop: Stopped | undefined): WaitReason | undefined {
  if (hopeless !== undefined) return { kind: hopeless.kind, limit: hopeless.limit };
  if (stop === undefined) return undefined;
  return limitOf(ledger, stop.request) ?? ceilingOrQuota(stop.obstacle);
}

function ceilingOrQuota(obstacle: Obstacle): WaitReason | undefined {
  switch (obstacle.kind) {
    case "ceiling": {
      const { path, ceiling, allocated, kept } = obstacle.queue;
      return { kind: "ceiling", queue: path, left: limited(ceiling, subtract(subtract(ceiling, allocated), kept)) };
    }
    case "quota": {
      const { quota, left, kept } = obstacle.quota;
      return { kind: "quota", quota: quota.name, left: limited(quota.hard, subtract(left, kept)) };
    }
    case "room":
      return undefined;
  }
}

/** The rest can be negative if room is kept; then nothing is left. */
function limited(names: ResourceLimits, left: Resources): Resources {
  return Object.fromEntries(Object.keys(names).map((name) => [name, Math.max(0, left[name] ?? 0)]));
}

function roomReason({ room }: Ledger, pods: readonly Batch[], keptFor: readonly string[], left: Resources): WaitReason {
  if (room.wouldHold(pods, "now")) return { kind: "kept", inFavourOf: keptFor };
  return { kind: fits(requestsOf(pods), left) ? "fragments" : "capacity", left };
}
