import type { Limit } from "../admission-plan.ts";
import type { Claim } from "../ledger/application-account.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { ceilingInTheWay } from "../ledger/queue-account.ts";
import { quotaTooSmall } from "../ledger/quota-account.ts";
import { requestsOf } from "../ledger/shape.ts";
import { amountsOf } from "../ledger/tally.ts";

/** Why a claim cannot be met, whatever other applications do. */
export interface Hopeless {
  /** `never`: it is more than there can be. `outside`: pods of others are in the way, or nodes that take no pods now. */
  readonly kind: "never" | "outside";
  readonly limit: Limit;
}

/** Whether a claim can be met when other applications are gone; `undefined` if so. Room is never kept for one that cannot. */
export function limitOf(ledger: Ledger, { application, what, pods }: Claim): Hopeless | undefined {
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
