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

// The writes of a restart. Each can be done again, by this gateway or another one, whatever came of it before.

/** What came of making a pod. */
export type Made = { readonly kind: "made" } | Exclude<Refusal, { readonly kind: "taken" }>;

const MADE: Made = { kind: "made" };
/** A pod whose grace has been over for so long does not go by itself. */
const OVERDUE_MS = 60_000;

/** Keeps a driver pod that is deleted from going before the gateway has seen to it; one that is going already is let go. */
export async function hold(client: KubeClient, driver: KubeObject): Promise<void> {
  const { finalizers = [] } = driver.metadata;
  await change(client, driver, { finalizers: [...finalizers, SCHEDULER_RESTART_FINALIZER] });
}

/** Lets a driver pod go as soon as it is deleted. */
export async function release(client: KubeClient, driver: KubeObject): Promise<void> {
  await change(client, driver, { ...released(driver), annotations: { [SCHEDULER_RESTART_AT_ANNOTATION]: null } });
}

/** As {@link release}, of a driver that can never be started again, whatever its application wants. */
export async function giveUp(client: KubeClient, driver: KubeObject): Promise<void> {
  const annotations = { [SCHEDULER_RESTART_AT_ANNOTATION]: null, [SCHEDULER_DRIVER_RESTART_ANNOTATION]: "never" };
  await change(client, driver, { ...released(driver), annotations });
}

function released({ metadata: { finalizers = [] } }: KubeObject): { readonly finalizers: string[] } {
  return { finalizers: finalizers.filter((name) => name !== SCHEDULER_RESTART_FINALIZER) };
}

/** Writes down when the driver is started again. */
export async function schedule(client: KubeClient, driver: KubeObject, at: number): Promise<void> {
  const annotations = { [SCHEDULER_RESTART_AT_ANNOTATION]: new Date(at).toISOString() };
  await change(client, driver, { annotations });
}

/** Makes the pod that stands in for a driver that has ended. */
export async function makeStandIn(client: KubeClient, ended: KubeObject, next: KubeObject): Promise<Made> {
  const isSame = (found: KubeObject): boolean => standInOf(found)?.endedUid === ended.metadata.uid;
  const small = await createOrAdopt(client, UPSTREAM.pods, standIn(ended, next, "little"), isSame);
  if (small.kind === "created") return MADE;
  // A LimitRange may ask for more.
  if (small.kind !== "final") return small;
  const whole = await createOrAdopt(client, UPSTREAM.pods, standIn(ended, next, "as-asked"), isSame);
  return whole.kind === "created" ? MADE : whole;
}

/** Deletes the pod of a driver that has ended, for which another stands in. */
export async function removeEnded(client: KubeClient, ended: KubeObject): Promise<void> {
  const { name, namespace, uid } = ended.metadata;
  await removeNow(client, ended);
  const now = await find(client, namespace, name);
  if (now?.metadata.uid === uid && now.metadata.finalizers?.includes(SCHEDULER_RESTART_FINALIZER) === true) {
    // That another one follows stays on it, for those who follow the application.
    await change(client, now, released(now));
  }
}

/** Makes the next driver pod, if the pod that stands in for it is still there: whoever deletes that ends the application. */
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

/** Asks for the end of what a driver that has ended had made. What should have gone long ago is removed by force. */
export async function clearAway(client: KubeClient, leftovers: readonly KubeObject[], now: number): Promise<void> {
  for (const object of leftovers) {
    const { deletionTimestamp } = object.metadata;
    const isClaim = object.kind === "PersistentVolumeClaim";
    if (deletionTimestamp === undefined) {
      if (isClaim) await takeAway(client, UPSTREAM.persistentvolumeclaims, object);
      else await takeAwayExecutor(client, object);
    } else if (!isClaim && now - Date.parse(deletionTimestamp) > OVERDUE_MS) {
      // Its node is lost; the driver that it would answer to is gone.
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

/** Changes a pod as it was seen: with its uid and version nobody else's change is lost, and no other pod is touched. */
async function change(client: KubeClient, { metadata }: KubeObject, changes: object): Promise<void> {
  const { name, namespace, uid, resourceVersion } = metadata;
  try {
    await client.patch(UPSTREAM.pods, name, "merge", { metadata: { uid, resourceVersion, ...changes } }, { namespace });
  } catch (error) {
    // What has changed or gone will be seen, and decided about again.
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}
