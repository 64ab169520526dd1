import { isDeepStrictEqual } from "node:util";
import type { GatewayOverview } from "./gateway-overview.ts";

/** What a gateway has promised one driver. */
export interface DriverPromises {
  readonly namespace: string;
  readonly driverPod: string;
  /** The names of pods that are not in the cluster yet. */
  readonly executors: readonly string[];
}

/** By the key of the driver pod; drivers without promised executors are not in it. */
export type Promises = ReadonlyMap<string, DriverPromises>;

/** An older gateway does not list these executors: then nothing is known to be promised. */
export function promisesOf({ applications }: GatewayOverview): Promises {
  return new Map(
    applications.flatMap(({ namespace, driverPod, virtualExecutors: executors = [] }) =>
      executors.length === 0
        ? []
        : [[driverKey({ namespace, name: driverPod }), { namespace, driverPod, executors }] as const],
    ),
  );
}

/** A gateway does not publish uids. A name has only one driver pod. */
export function driverKey({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `${namespace}/${name}`;
}

/** The promises of both. */
export function eitherOf(earlier: Promises, later: Promises): Promises {
  const all = new Map(earlier);
  for (const [key, promises] of later) {
    const before = earlier.get(key)?.executors ?? [];
    all.set(key, { ...promises, executors: [...new Set([...promises.executors, ...before])] });
  }
  return all;
}

/** The drivers whose promises differ, with their latest names. */
export function changedDrivers(before: Promises, after: Promises): readonly DriverPromises[] {
  const changed = [...after].filter(([key, promises]) => !isDeepStrictEqual(promises, before.get(key)));
  const ended = [...before].filter(([key]) => !after.has(key));
  return [...changed, ...ended].map(([, promises]) => promises);
}
