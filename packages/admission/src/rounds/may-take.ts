import type { DecommissionReason } from "../admission-plan.ts";
import type { RoomRequest } from "../ledger/application-account.ts";
import { queueWith, siblingsAbove, type QueueAccount } from "../ledger/queue-account.ts";
import type { Amounts } from "../ledger/tally.ts";
import type { Resources } from "../resources.ts";

/**
 * The reason for which a request may take something from another queue; `undefined` if it may not. Afterwards, the claimant's
 * side must have at most as much as the other side has left, or at most its own guarantee. So the other side never has a
 * reason to take it back.
 */
export function mayTake(
  { application, amounts }: RoomRequest,
  losing: QueueAccount,
  lost: Amounts,
  total: Resources,
): Exclude<DecommissionReason, "priority"> | undefined {
  const siblings = siblingsAbove(application.queue, losing);
  if (siblings === undefined) return undefined;
  const [gainer, loser] = siblings;
  for (let queue: QueueAccount | undefined = losing; queue !== loser.parent; queue = queue.parent) {
    if (queue === undefined || queueWith(queue, lost, -1, total).guaranteed < 1) return undefined;
  }
  const afterwards = queueWith(gainer, amounts, 1, total);
  if (afterwards.guaranteed <= 1) return "guarantee";
  return afterwards.share <= queueWith(loser, lost, -1, total).share ? "share" : undefined;
}

/** Whether a request stays within the guarantee of its queue or of a parent: only for such a request are executors deleted. */
export function isWithinGuarantee({ application, amounts }: RoomRequest, total: Resources): boolean {
  for (let queue: QueueAccount | undefined = application.queue; queue?.parent !== undefined; queue = queue.parent) {
    if (queueWith(queue, amounts, 1, total).guaranteed <= 1) return true;
  }
  return false;
}
