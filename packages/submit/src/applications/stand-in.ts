import { KindlingError, SCHEDULER_STAND_IN_ROLE, SPARK_ROLE_LABEL } from "@kindling/core-spec";
import type { KubeClient } from "@kindling/kube";
import { sleep, type Clock } from "@kindling/outside";
import type { Pod } from "kubernetes-types/core/v1.js";
import { podNamed } from "./pod-named.ts";

/** Whether a pod is what the gateway leaves of an application between two pods of its driver. */
export function isStandIn({ metadata }: Pod): boolean {
  return metadata?.labels?.[SPARK_ROLE_LABEL] === SCHEDULER_STAND_IN_ROLE;
}

const INTERVAL_MS = 2000;

/**
 * The driver pod that comes behind a stand-in.
 *
 * @param name of the driver pod
 * @throws KindlingError `OBJECT_NOT_FOUND` where none comes, as the stand-in is gone, `INTERRUPTED` when the signal says so;
 * KubeError
 */
export async function driverBehind(
  client: KubeClient,
  standIn: Pod,
  name: string,
  { clock, signal }: { readonly clock: Clock; readonly signal?: AbortSignal | undefined },
): Promise<Pod> {
  const namespace = standIn.metadata?.namespace;
  for (;;) {
    if (signal?.aborted === true) throw new KindlingError("INTERRUPTED", "interrupted");
    // The stand-in goes when the driver is there, so it is asked for first.
    const stillStandsIn = (await podNamed(client, namespace, standIn.metadata?.name ?? "")) !== undefined;
    const driver = await podNamed(client, namespace, name);
    if (driver !== undefined) return driver;
    if (!stillStandsIn) throw new KindlingError("OBJECT_NOT_FOUND", `${namespace ?? ""}:${name} was not started again`);
    await sleep(clock, INTERVAL_MS, signal);
  }
}
