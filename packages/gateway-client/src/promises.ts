import { isDeepStrictEqual } from "node:util";
import type { GatewayOverview } from "./gateway-overview.ts";

/** What a gateway has promised to one driver. */
export interface DriverPromises {
  readonly namespace: string;
  readonly driverPod: string;
  /** The names of the pods, which are not in the cluster yet. */
  readonly executors: readonly string[];
}

/** By the key of the driver pod; drivers that wait for nothing are not in it. */
export type Promises = ReadonlyMap<string, DriverPromises>;

/** A gateway that is older than the list of these executors has promised nothing, as far as can be told. */
export function promisesOf({ applications }: GatewayOverview): Promises {
  return new Map(
    applications.flatMap(({ namespace, driverPod, virtualExecutors: executors = [] }) =>
      executors.length === 0
        ? []
        : [[driverKey({ namespace, name: driverPod }), { namespace, driverPod, executors }] as const],
    ),
  );
}

/** A gateway tells uids to nobody. There is one driver pod of a name. */
export function driverKey({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `${namespace}/${name}`;
}

/** What is promised in either. */
export function eitherOf(earlier: Promises, later: Promises): Promises {
  const all = new Map(earlier);
  for (const [key, promises] of later) {
    const before = earlier.get(key)?.executors ?? [];
    all.set(key, { ...promises, executors: [...new Set([...promises.executors, ...before])] });
  }
  return all;
}

/** The drivers that have not the same promises in both, as they were named last. */
export function changedDrivers(before: Promises, after: Promises): readonly DriverPromises[] {
  const changed = [...after].filter(([key, promises]) => !isDeepStrictEqual(promises, before.get(key)));
  const ended = [...before].filter(([key]) => !after.has(key));
  return [...changed, ...ended].map(([, promises]) => promises);
}
