import type { AdmissionPlan, Decision, PolicySettings, PolicySnapshot, Wait } from "./admission-plan.ts";
import type { ApplicationAccount, Claim } from "./ledger/application-account.ts";
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
 * 1. A started driver is owed its minimum executors before anybody gets more, until they have all been there. From then on it
 *    is owed the floor of its queue: one executor, unless the queue says otherwise. What is owed is served one application after the
 *    other: first those whose gate was opened, for they were promised it, and then the oldest. What does not fit is kept.
 * 2. Then queues take turns, a start or an executor at a time: on each level those below their guarantee, and then the one
 *    with the least share for its weight. A share is the greatest part of a resource that the queue has. In a queue a higher
 *    priority goes first, then drivers that wait for their start in the order in which they came, and then the running
 *    application with the least share. A queue may have more than its share as long as others do not want it.
 * 3. A driver starts only with room for its minimum executors, which is kept for them from then on: no driver waits for room
 *    that other waiting drivers hold. A ceiling, a quota and the room of nodes are never exceeded.
 * 4. The first start that does not fit has room kept for it, and others only get what it does not need: it cannot be passed by
 *    for ever (see `keepMs`). The same holds for a ceiling and a quota. Nothing is kept for a start, or a minimum, that would
 *    not fit if all applications were gone.
 * 5. Whoever still waits may have surplus executors asked to leave: such as can without loss, above the floor of their
 *    application (its minimum, until that has been there), of a lower priority in the same queue; of a queue that has at least
 *    as much afterwards as the claimant's, both for their weight; or of any queue for one that stays within its guarantee, but
 *    never so that the other falls below its own. A start and an owed minimum may also take from an application of the same
 *    queue and priority that has at least as much afterwards. Who began last is asked first, and only who is needed; nobody
 *    for one behind a start of rule 4. Those who are leaving count as room to come, which is kept for whoever is first in turn
 *    and fits then.
 * 6. A guarantee is a promise. If those who can leave without loss are not enough for a claim within the guarantee, others of
 *    other queues are deleted, where the place in which that makes room loses the fewest; those first that never began to run.
 *    What an application asks for in their place waits like all else. A queue may keep its applications out of that, or out of
 *    rule 5 altogether; a wait then says so.
 */
export function planAdmission(snapshot: PolicySnapshot, settings: PolicySettings): AdmissionPlan {
  const ledger = new Ledger(snapshot);
  const isKnown = ({ queue }: ApplicationAccount): boolean => queue !== ledger.queues.root;
  const wants = ledger.applications.filter(isKnown).map((account) => wantsOf(ledger, account));
  const mayKeep = ({ application }: Claim): boolean => isKeptFor(application.demand, snapshot.now, settings.keepMs);
  const now = playRound(ledger, wants, (claim) => ledger.meet(claim), mayKeep);
  const waits = explainWaits(ledger, wants, now);
  // What waits now plays another round, in which those who leave are gone, and more may be asked to.
  ledger.dismissLeaving();
  const most = settings.preemption ? settings.mostDecommissioned : 0;
  const preemption = new Preemption(ledger, most);
  const later = playRound(ledger, wants, (claim, isBehind) => preemption.meet(claim, isBehind), mayKeep);
  const stoppedLater = new Map([...later.stopped].map(([{ demand }, stopped]) => [demand.id, stopped]));
  const servedLater = new Set(later.met.map(({ claim }) => claim.application.demand.id));
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

/** Room that is only kept needs no decision. */
function decisionOf({ claim, executor, node }: Met): Decision[] {
  const application = claim.application.demand.id;
  if (claim.what === "start") return [{ kind: "start", application, node }];
  return executor === undefined ? [] : [{ kind: "admit", application, executor, node }];
}
