import type { KubeObject } from "@kindling/kube-objects";
import { type ExecutorSets, staying } from "../../views/applications/executor-sets.ts";
import { setExecutorId } from "../../spark/set-marks.ts";
import type { RequestedExecutor } from "./application-demand.ts";

/**
 * A set can ask for any number of executors at once, and there are several plans per second. Each plan looks at about this
 * many waiting ones of one application.
 */
const MOST_LISTED = 100;

/** Executors that the driver has asked for. */
export interface Requested {
  readonly executors: RequestedExecutor[];
  /** How many more executors wait. */
  readonly unlisted: number;
}

/**
 * The executors of sets that are not in the cluster yet: the admitted ones, which the controller of the set will create, and
 * the first of the waiting ones. Executors that are there are pods like all others.
 *
 * @param owned the pods of the cluster that belong to the driver
 */
export function setExecutors(sets: ExecutorSets, owned: readonly KubeObject[]): Requested {
  const executors: RequestedExecutor[] = [];
  if (sets.size === 0) return { executors, unlisted: 0 };
  const there = staying(owned);
  // Each set has its share of the list: while one waits, there may be room for the executors of another.
  const mostOfSet = Math.ceil(MOST_LISTED / sets.size);
  let listed = 0;
  for (const { mark, admitted, wanted, pod } of sets.all()) {
    for (let ordinal = there.get(mark) ?? 0; ordinal < admitted; ordinal++) {
      executors.push({ kind: "admitted", name: setExecutorId(mark, ordinal), pod });
    }
    for (let ordinal = admitted; ordinal < Math.min(wanted, admitted + mostOfSet); ordinal++) {
      executors.push({ kind: "waiting", name: setExecutorId(mark, ordinal), pod });
      listed += 1;
    }
  }
  return { executors, unlisted: sets.waiting - listed };
}
