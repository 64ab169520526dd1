import { type CommandContext, printNotice } from "@kindling/command-line";
import { KindlingError } from "@kindling/core-spec";
import { type KubeClient, resources } from "@kindling/kube";
import { sleep } from "@kindling/outside";
import { isFinished, podState } from "@kindling/submit";
import type { Pod } from "kubernetes-types/core/v1.js";

const LOOK_AGAIN_MS = 500;

/**
 * Waits until a driver has started.
 *
 * @throws KindlingError `POD_FAILED` if it ends before; KubeError
 */
export async function startedDriver(
  client: KubeClient,
  driver: Pod,
  { outside, output, signal }: CommandContext,
): Promise<Pod> {
  const { name = "", namespace } = driver.metadata ?? {};
  let pod = driver;
  if (hasNotStarted(pod)) printNotice(`${name} has not started, and is waited for: kindling status says why`, output);
  while (hasNotStarted(pod)) {
    await sleep(outside.clock, LOOK_AGAIN_MS, signal);
    pod = await client.get(resources.pods, name, { namespace, signal });
  }
  if (!isFinished(podState(pod))) return pod;
  throw new KindlingError("POD_FAILED", `${name} has ended before its web UI was there`, {
    hint: `kindling logs ${namespace ?? ""}:${name} shows what it said`,
  });
}

function hasNotStarted({ status }: Pod): boolean {
  return status?.phase === undefined || status.phase === "Pending";
}
