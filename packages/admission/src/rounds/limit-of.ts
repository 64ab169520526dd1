import type { Limit } from "../admission-plan.ts";
import type { RoomRequest } from "../ledger/application-account.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { ceilingInTheWay } from "../ledger/queue-account.ts";
import { quotaTooSmall } from "../ledger/quota-account.ts";
import { requestsOf } from "../ledger/shape.ts";
import { amountsOf } from "../ledger/tally.ts";

/** Why a request cannot be met, even if all other applications were gone. */
export interface Hopeless {
  /** `never`: it is more than there can ever be. `outside`: pods of others are in the way, or nodes accept no pods now. */
  readonly kind: "never" | "outside";
  readonly limit: Limit;
}

/**
 * Why a request cannot be met even when other applications are gone; `undefined` if it can. Room is never kept for a request that
 * cannot be met.
 */
export function limitOf(ledger: Ledger, { application, what, pods }: RoomRequest): Hopeless | undefined {
  // A started application's own pods stay while it waits for its minimum.
  const own = what === "minimum" ? application.standing : [];
  const placed = what === "minimum" ? application.placed : [];
  const all = [...own, ...pods];
  const queue = ceilingInTheWay(application.queue, amountsOf(requestsOf(all)), "nothing");
  if (queue !== undefined) return { kind: "never", limit: { kind: "ceiling", queue: queue.path } };
  for (const [kind, besides] of [
    ["never", "nothing"],
    ["outside", "others"],
  ] as const) {
    const account = quotaTooSmall(ledger.quotasOf(application.demand), all, besides);
    if (account !== undefined) return { kind, limit: { kind: "quota", quota: account.quota.name } };
  }
  if (!ledger.room.wouldHold(pods, "ever", placed)) return { kind: "never", limit: { kind: "capacity" } };
  if (!ledger.room.wouldHold(pods, "empty", placed)) return { kind: "outside", limit: { kind: "capacity" } };
  return undefined;
}
