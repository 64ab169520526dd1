import type { KubeObject } from "@kindling/api-server";
import { type ExecutorSets, staying } from "../applications/executor-sets.ts";
import { setExecutorId } from "../applications/set-marks.ts";
import type { RequestedExecutor } from "./application-demand.ts";

/**
 * The executors of sets that are not in the cluster: those that are admitted, which the controller of the set is to make,
 * and those that wait. Those that are there are pods like all others.
 *
 * @param owned the pods of the cluster that belong to the driver
 */
export function setExecutors(sets: ExecutorSets, owned: readonly KubeObject[]): RequestedExecutor[] {
  if (sets.size === 0) return [];
  const there = staying(owned);
  const executors: RequestedExecutor[] = [];
  for (const { mark, admitted, wanted, pod } of sets.all()) {
    for (let ordinal = there.get(mark) ?? 0; ordinal < admitted; ordinal++) {
      executors.push({ kind: "admitted", name: setExecutorId(mark, ordinal), pod });
    }
    for (let ordinal = admitted; ordinal < wanted; ordinal++) {
      executors.push({ kind: "waiting", name: setExecutorId(mark, ordinal), pod });
    }
  }
  return executors;
}
