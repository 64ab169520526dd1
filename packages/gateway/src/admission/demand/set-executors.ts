import type { KubeObject } from "@kindling/kube-objects";
import { type ExecutorSets, staying } from "../../views/applications/executor-sets.ts";
import { setExecutorId } from "../../spark/set-marks.ts";
import type { RequestedExecutor } from "./application-demand.ts";

/**
 * A set says with one number how many executors it has, and there are several plans in a second: in each, this many of one
 * application's have their turn.
 */
const MOST_LISTED = 100;

/** Executors that are asked for. */
export interface Requested {
  readonly executors: RequestedExecutor[];
  /** How many more wait. */
  readonly unlisted: number;
}

/**
 * The executors of sets that are not in the cluster: those that are admitted, which the controller of the set is to make,
 * and the first of those that wait. Those that are there are pods like all others.
 *
 * @param owned the pods of the cluster that belong to the driver
 */
export function setExecutors(sets: ExecutorSets, owned: readonly KubeObject[]): Requested {
  const executors: RequestedExecutor[] = [];
  if (sets.size === 0) return { executors, unlisted: 0 };
  const there = staying(owned);
  // Each set has its part: what one of them waits for may be there for another.
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
