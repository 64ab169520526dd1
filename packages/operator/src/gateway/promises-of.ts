import { isDeepStrictEqual } from "node:util";
import type { GatewayOverview } from "@kindling/submit";

/** What a gateway has promised to one driver. */
export interface DriverPromises {
  readonly namespace: string;
  readonly driverPod: string;
  /** The names of the pods, which are not in the cluster yet. */
  readonly executors: readonly string[];
}

/** By the uid of the driver pod; drivers that wait for nothing are not in it. */
export type Promises = ReadonlyMap<string, DriverPromises>;

/** A gateway that is older than the list of these executors has promised nothing, as far as can be told. */
export function promisesOf({ applications }: GatewayOverview): Promises {
  return new Map(
    applications.flatMap(({ namespace, driverPod, driverUid, virtualExecutors: executors = [] }) =>
      executors.length === 0 ? [] : [[driverUid, { namespace, driverPod, executors }] as const],
    ),
  );
}

/** What is promised in either. */
export function eitherOf(earlier: Promises, later: Promises): Promises {
  const all = new Map(earlier);
  for (const [uid, promises] of later) {
    const before = earlier.get(uid)?.executors ?? [];
    all.set(uid, { ...promises, executors: [...new Set([...promises.executors, ...before])] });
  }
  return all;
}

/** The drivers that have not the same promises in both, as they were named last. */
export function changedDrivers(before: Promises, after: Promises): readonly DriverPromises[] {
  const changed = [...after].filter(([uid, promises]) => !isDeepStrictEqual(promises, before.get(uid)));
  const ended = [...before].filter(([uid]) => !after.has(uid));
  return [...changed, ...ended].map(([, promises]) => promises);
}
