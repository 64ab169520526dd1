import type { Term } from "@kindling/controller";
import { assembleAdmission, type AssembleAdmissionOptions } from "../admission/assemble-admission.ts";
import type { Dispatcher } from "../admission/dispatcher.ts";
import { assembleKueue } from "../controllers/kueue-workloads/assemble-kueue.ts";
import type { AssembleOptions } from "./assemble-options.ts";

/** The parts of a term that carry out what is decided. */
export type DecisionParts = Pick<
  AssembleAdmissionOptions,
  "applications" | "events" | "letGo" | "nodeEnds" | "pendingPods" | "make" | "scale" | "beforeStart" | "onPlanned"
>;

/** Builds the parts that decide on drivers and executors: the gateway's own admission, and Kueue for those in its queues. */
export function assembleDecisions(term: Term, options: AssembleOptions, parts: DecisionParts): Dispatcher {
  const { setWatch } = options;
  const waitsElsewhere = new Map<string, readonly string[]>();
  const dispatcher: Dispatcher = assembleAdmission(term, {
    ...{ ...options, ...parts, waitsElsewhere },
    areSetsKnown: () => setWatch.isSynced,
    onChanged: () => kueueWorkloads?.look(),
  });
  const kueueWorkloads = assembleKueue(term, options, {
    ...{ ...parts, demands: dispatcher.facts },
    onWaits(uid, words) {
      const before = waitsElsewhere.get(uid)?.join();
      if (words.length > 0) waitsElsewhere.set(uid, words);
      else waitsElsewhere.delete(uid);
      if (before !== waitsElsewhere.get(uid)?.join()) dispatcher.changed();
    },
  });
  return dispatcher;
}
