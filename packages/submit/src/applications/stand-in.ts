import { KindlingError, SCHEDULER_STAND_IN_ROLE, SPARK_ROLE_LABEL } from "@kindling/core-spec";
import type { KubeClient } from "@kindling/kube";
import { sleep, type Clock } from "@kindling/outside";
import type { Pod } from "kubernetes-types/core/v1.js";
import { podNamed } from "./pod-named.ts";

/** Whether a pod is the stand-in that the gateway creates between two pods of a driver. */
export function isStandIn({ metadata }: Pod): boolean {
  return metadata?.labels?.[SPARK_ROLE_LABEL] === SCHEDULER_STAND_IN_ROLE;
}

const INTERVAL_MS = 2000;

/**
 * The driver pod that replaces a stand-in.
 *
 * @param name of the driver pod
 * @throws KindlingError `OBJECT_NOT_FOUND` if no driver comes because the stand-in is gone, `INTERRUPTED` when the signal is
 *   aborted; KubeError
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
    // The stand-in is deleted when the driver exists, so the stand-in is asked for first.
    const stillStandsIn = (await podNamed(client, namespace, standIn.metadata?.name ?? "")) !== undefined;
    const driver = await podNamed(client, namespace, name);
    if (driver !== undefined) return driver;
    if (!stillStandsIn) throw new KindlingError("OBJECT_NOT_FOUND", `${namespace ?? ""}:${name} was not started again`);
    await sleep(clock, INTERVAL_MS, signal);
  }
}
