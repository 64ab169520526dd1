import type { AdmissionPlan, Decision, PolicySettings, PolicySnapshot, Wait } from "./admission-plan.ts";
import type { ApplicationAccount, RoomRequest } from "./ledger/application-account.ts";
import { Ledger } from "./ledger/ledger.ts";
import { Holdings } from "./rounds/held-by.ts";
import { explainWaits, withoutQueue } from "./rounds/explain-waits.ts";
import { isKeptFor } from "./rounds/is-kept-for.ts";
import { Preemption } from "./rounds/preemption.ts";
import { playRound, type Met } from "./rounds/round.ts";
import { wantsOf } from "./rounds/wants.ts";

/**
 * Which drivers start, which executors are made real, and which leave: pure, the same for the same snapshot.
 *
 * 1. A started driver gets its minimum executors before any application gets more, until all of them have been there once.
 *    After that it is entitled to the floor of its queue: one executor, unless the queue sets another floor. These executors
 *    are served one application after the other: first applications whose gate was opened, because their minimum was
 *    promised, and then the oldest. Minimums that can be had whole are given before room is kept for those that do not fit, and
 *    their part of ceilings and quotas.
 * 2. Then queues take turns, one start or one executor at a time: on each level first queues below their guarantee, and then
 *    the queue with the smallest share for its weight. A share is the highest fraction of any resource that the queue has. In
 *    a queue a higher priority goes first, then drivers that wait for their start in the order in which they came, and then
 *    the running application with the smallest share. A queue may have more than its share as long as others do not want it.
 * 3. A driver starts only with room for its minimum executors, which is kept for them from then on: no driver waits for room
 *    that other waiting drivers hold. A ceiling, a quota and the room of nodes are never exceeded.
 * 4. For the first start that does not fit, room is kept, and others only get what it does not need: so it is not overtaken
 *    for ever (see `keepMs`). The same is true for a ceiling and a quota. Nothing is kept for a start, or a minimum, that
 *    would not fit even if all applications were gone.
 * 5. For an application that still waits, surplus executors may be asked to leave. They must be able to leave without loss,
 *    and must be above the floor of their application (its minimum, until that has been there). They may come from three
 *    places: from a lower priority in the same queue; from a queue that has at least as much afterwards as the claimant's,
 *    both for their weight; or from any queue, if the claimant stays within its guarantee and the other queue does not fall
 *    below its own. A start and a minimum may also take from an application of the same queue and priority that has at least
 *    as much afterwards. The executor that began last is asked first, and only as many as needed; none is asked for a request
 *    behind a start of rule 4. Leaving executors count as room to come, which is kept for the first in turn that fits then.
 * 6. A guarantee is a promise. If the executors that can leave without loss are not enough for a request within the guarantee,
 *    executors of other queues are deleted, in the place where this loses the fewest; first those that never began to run.
 *    What an application asks for instead of them waits like everything else. A queue may exclude its applications from this
 *    rule, or also from rule 5; the wait then says so.
 */
export function planAdmission(snapshot: PolicySnapshot, settings: PolicySettings): AdmissionPlan {
  const ledger = new Ledger(snapshot);
  const isKnown = ({ queue }: ApplicationAccount): boolean => queue !== ledger.queues.root;
  const wants = ledger.applications.filter(isKnown).map((account) => wantsOf(ledger, account));
  const mayKeep = ({ application }: RoomRequest): boolean =>
    isKeptFor(application.demand, snapshot.now, settings.keepMs);
  const now = playRound(ledger, wants, (request) => ledger.meet(request), mayKeep);
  const waits = explainWaits(ledger, wants, now);
  // What still waits takes part in another round. In it, leaving executors count as gone, and more executors may be asked to
  // leave.
  ledger.dismissLeaving();
  const most = settings.preemption ? settings.mostDecommissioned : 0;
  const preemption = new Preemption(ledger, most);
  const later = playRound(ledger, wants, (request, isBehind) => preemption.meet(request, isBehind), mayKeep);
  const stoppedLater = new Map([...later.stopped].map(([{ demand }, stopped]) => [demand.id, stopped]));
  const servedLater = new Set(later.met.map(({ request }) => request.application.demand.id));
  const holdings = new Holdings(ledger, most > 0);
  const wherefore = (wait: Wait): Wait => {
    if (servedLater.has(wait.application)) return { ...wait, roomToCome: true };
    return { ...wait, holders: holdings.of(wait, stoppedLater.get(wait.application)) };
  };
  const lost = ledger.applications.filter((account) => !isKnown(account));
  return {
    decisions: [...now.met.flatMap(decisionOf), ...preemption.decisions],
    waits: [...waits.map(wherefore), ...lost.map(({ demand }) => withoutQueue(demand))],
  };
}

/** Kept room needs no decision. */
function decisionOf({ request, executor, node }: Met): Decision[] {
  const application = request.application.demand.id;
  if (request.what === "start") return [{ kind: "start", application, node }];
  return executor === undefined ? [] : [{ kind: "admit", application, executor, node }];
}
