import { messageOf } from "@kindling/core-spec";
import type { KubeClient } from "@kindling/kube";
import type { KubeObject } from "@kindling/kube-objects";
import type { Log } from "@kindling/service";
import type { LetGo } from "../../cluster/let-go.ts";
import { takeAway } from "../../cluster/take-away.ts";
import { UPSTREAM } from "../../cluster/upstream-types.ts";

export interface RemoveExecutorOptions {
  readonly client: KubeClient;
  readonly letGo: Pick<LetGo, "canStay" | "byDriver">;
  readonly log: Log;
}

/**
 * Removes an executor's pod. It stays without its executor if it serves shuffle files. If it cannot be removed, the log says so.
 *
 * @param gracePeriodSeconds without it, what the pod says
 */
export async function removeExecutor(
  { client, letGo, log }: RemoveExecutorOptions,
  pod: KubeObject,
  gracePeriodSeconds?: number,
): Promise<void> {
  const { name, namespace = "", uid } = pod.metadata;
  try {
    if (letGo.canStay(pod)) await letGo.byDriver(pod, { name, namespace, uid });
    else await takeAway(client, UPSTREAM.pods, pod, gracePeriodSeconds);
  } catch (error) {
    log.warn("an executor without enough memory cannot be deleted", { namespace, name, error: messageOf(error) });
  }
}
