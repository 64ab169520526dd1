import type { KubeObject } from "@kindling/kube-objects";
import {
  SCHEDULER_DRIVER_RESTART_ANNOTATION,
  SCHEDULER_RESTART_AT_ANNOTATION,
  SCHEDULER_RESTART_FINALIZER,
} from "@kindling/core-spec";
import { isConflict, isNotFound, type KubeClient } from "@kindling/kube";
import { takeAwayExecutor } from "../../cluster/take-away-executor.ts";
import { createOrAdopt } from "../../cluster/create-or-adopt.ts";
import type { Refusal } from "../../cluster/refusal.ts";
import { takeAway } from "../../cluster/take-away.ts";
import { UPSTREAM } from "../../cluster/upstream-types.ts";
import { follows } from "./next-driver.ts";
import { standIn, standInOf, type StandIn } from "./stand-in.ts";

// The writes of a restart. Each can be repeated by this gateway or another one, whether it succeeded before or not.

/** The result of creating a pod. */
export type Made = { readonly kind: "made" } | Exclude<Refusal, { readonly kind: "taken" }>;

const MADE: Made = { kind: "made" };
/** A pod that is still there so long after its grace period will not go by itself. */
const OVERDUE_MS = 60_000;

/**
 * Puts a finalizer on a driver pod, so that a deleted pod stays until the gateway has handled it. A pod that is already being
 * deleted is left alone.
 */
export async function hold(client: KubeClient, driver: KubeObject): Promise<void> {
  const { finalizers = [] } = driver.metadata;
  await change(client, driver, { finalizers: [...finalizers, SCHEDULER_RESTART_FINALIZER] });
}

/** Removes the finalizer of a driver pod, so that it goes as soon as it is deleted. */
export async function release(client: KubeClient, driver: KubeObject): Promise<void> {
  await change(client, driver, { ...released(driver), annotations: { [SCHEDULER_RESTART_AT_ANNOTATION]: null } });
}

/** Like {@link release}, for a driver that can never be restarted, whatever its application wants. */
export async function giveUp(client: KubeClient, driver: KubeObject): Promise<void> {
  const annotations = { [SCHEDULER_RESTART_AT_ANNOTATION]: null, [SCHEDULER_DRIVER_RESTART_ANNOTATION]: "never" };
  await change(client, driver, { ...released(driver), annotations });
}

function released({ metadata: { finalizers = [] } }: KubeObject): { readonly finalizers: string[] } {
  return { finalizers: finalizers.filter((name) => name !== SCHEDULER_RESTART_FINALIZER) };
}

/** Records when the driver is to be restarted, and what the next driver has to know. */
export async function schedule(
  client: KubeClient,
  driver: KubeObject,
  at: number,
  told: Readonly<Record<string, string>>,
): Promise<void> {
  const annotations = { ...told, [SCHEDULER_RESTART_AT_ANNOTATION]: new Date(at).toISOString() };
  await change(client, driver, { annotations });
}

/** Creates the stand-in of a driver that has ended. */
export async function makeStandIn(client: KubeClient, ended: KubeObject, next: KubeObject): Promise<Made> {
  const isSame = (found: KubeObject): boolean => standInOf(found)?.endedUid === ended.metadata.uid;
  const small = await createOrAdopt(client, UPSTREAM.pods, standIn(ended, next, "little"), isSame);
  if (small.kind === "created") return MADE;
  // A LimitRange may require more.
  if (small.kind !== "final") return small;
  const whole = await createOrAdopt(client, UPSTREAM.pods, standIn(ended, next, "as-asked"), isSame);
  return whole.kind === "created" ? MADE : whole;
}

/** Deletes the pod of a driver that has ended and has a stand-in. */
export async function removeEnded(client: KubeClient, ended: KubeObject): Promise<void> {
  const { name, namespace, uid } = ended.metadata;
  await removeNow(client, ended);
  const now = await find(client, namespace, name);
  if (now?.metadata.uid === uid && now.metadata.finalizers?.includes(SCHEDULER_RESTART_FINALIZER) === true) {
    // The annotation about the restart stays on the pod, for clients that watch the application.
    await change(client, now, released(now));
  }
}

/** Creates the next driver pod, if the stand-in is still there. Deleting the stand-in ends the application. */
export async function makeNext(client: KubeClient, { pod, next, endedUid }: StandIn): Promise<Made> {
  const { namespace, name, uid } = pod.metadata;
  const now = await find(client, namespace, name);
  if (now?.metadata.uid !== uid || now.metadata.deletionTimestamp !== undefined) {
    return { kind: "for-now", message: `pod ${name} is being deleted` };
  }
  const made = await createOrAdopt(client, UPSTREAM.pods, next, (found) => follows(found, endedUid));
  return made.kind === "created" ? MADE : made;
}

/** Deletes a pod that has ended, or that never runs. */
export async function removeNow(client: KubeClient, { metadata }: KubeObject): Promise<void> {
  const { name, namespace, uid } = metadata;
  const options = {
    namespace,
    gracePeriodSeconds: 0,
    propagationPolicy: "Background",
    preconditions: { uid },
  } as const;
  try {
    await client.delete(UPSTREAM.pods, name, options);
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}

/** Deletes what an ended driver has left. Objects that should have gone long ago are removed by force. */
export async function clearAway(client: KubeClient, leftovers: readonly KubeObject[], now: number): Promise<void> {
  for (const object of leftovers) {
    const { deletionTimestamp } = object.metadata;
    const isClaim = object.kind === "PersistentVolumeClaim";
    if (deletionTimestamp === undefined) {
      if (isClaim) await takeAway(client, UPSTREAM.persistentvolumeclaims, object);
      else await takeAwayExecutor(client, object);
    } else if (!isClaim && now - Date.parse(deletionTimestamp) > OVERDUE_MS) {
      // Its node is lost, and its driver is gone.
      await removeNow(client, object);
    }
  }
}

async function find(client: KubeClient, namespace: string | undefined, name: string): Promise<KubeObject | undefined> {
  try {
    return await client.get(UPSTREAM.pods, name, { namespace });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/**
 * Patches exactly this state of a pod: with its uid and version, no change by somebody else is lost and no other pod is
 * touched.
 */
async function change(client: KubeClient, { metadata }: KubeObject, changes: object): Promise<void> {
  const { name, namespace, uid, resourceVersion } = metadata;
  try {
    await client.patch(UPSTREAM.pods, name, "merge", { metadata: { uid, resourceVersion, ...changes } }, { namespace });
  } catch (error) {
    // If the pod has changed or gone, the watch will show it, and the next step is decided again.
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}
