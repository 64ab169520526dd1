import type { KubeObject } from "@kindling/kube-objects";
import { isNotFound, type KubeClient } from "@kindling/kube";
import type { Application } from "../../views/applications/application.ts";
import { isOwnedBy } from "../../spark/spark-pod.ts";
import { mountedClaims } from "./held-claims.ts";
import { makeClaim } from "./make-claim.ts";
import { createOrAdopt } from "../../cluster/create-or-adopt.ts";
import { writeHandover } from "./write-handover.ts";
import { makeOwnObjects } from "./steps/make-own-objects.ts";
import { DONE, type Progress } from "./progress.ts";
import { takeAway } from "../../cluster/take-away.ts";
import { UPSTREAM } from "../../cluster/upstream-types.ts";
import { type Entry, isAbandoned } from "../../views/entry.ts";
import { isMadeAs, marked } from "../../views/marked.ts";
import { givenUid, isEarly } from "../../spark/marks.ts";

/**
 * Does everything that is still missing for an admitted executor. First it creates the claims that the pod mounts, then the
 * pod, then what the pod owns (claims in the same way as Spark itself does), and the claims that its driver asked for in the
 * meantime. If the driver has deleted the executor in the meantime, it is deleted from the cluster.
 *
 * @throws KubeError if an abandoned executor cannot be deleted, or if the driver's changes cannot be written to it
 */
export async function makeExecutor(client: KubeClient, application: Application, entry: Entry): Promise<Progress> {
  if (entry.state.kind === "creating") {
    const { request } = entry.state;
    const claims = await makeClaims(client, application, mountedBy(application, request, entry));
    if (claims.kind !== "done") return claims;
    const pod = await makePod(client, application, entry, request);
    if (pod.kind !== "done") return pod;
  } else if (isAbandoned(entry)) {
    // An earlier attempt, whose answer was lost, may have created the pod.
    await takeAwayByName(client, application, entry.name, (found) => givenUid(found) === entry.uid);
  }
  await writeHandover(client, application, entry);
  const objects = await makeOwnObjects(client, application, entry);
  const owned = objects.kind === "done" ? await makeClaims(client, application, leftFor(application, entry)) : objects;
  // Spark deletes a pod whose claim it cannot create.
  if (owned.kind === "final" && entry.state.kind === "real") {
    const { name } = entry;
    const { namespace } = application;
    await takeAway(client, UPSTREAM.pods, { metadata: { name, namespace, uid: entry.state.uid } });
  }
  return owned;
}

async function makePod(
  client: KubeClient,
  application: Application,
  entry: Entry,
  request: KubeObject,
): Promise<Progress> {
  // The executor was deleted, or seen in the cluster, while its claims were being created.
  if (entry.state.kind !== "creating") return DONE;
  const wanted = marked(request, entry);
  const answer = await createOrAdopt(client, UPSTREAM.pods, wanted, (found) => isMadeAs(wanted, found));
  if (answer.kind === "final" && answer.reason === "AlreadyExists") {
    const isUnasked = (found: KubeObject): boolean => isEarly(found) && isOwnedBy(found, application.driverRef);
    const isGoing = await takeAwayByName(client, application, entry.name, isUnasked);
    if (!isGoing) return answer;
    return { kind: "for-now", message: "another executor of its name, which was made early, is being deleted" };
  }
  if (answer.kind !== "created") return answer;
  if (isAbandoned(entry)) await takeAway(client, UPSTREAM.pods, answer.object);
  // If the watch has shown the pod and its deletion before this answer came, the pod stays deleted.
  else if (application.pods.get(entry.name) === entry) application.pods.seen(answer.object);
  return DONE;
}

async function makeClaims(client: KubeClient, application: Application, claims: readonly Entry[]): Promise<Progress> {
  for (const claim of claims) {
    const answer = await makeClaim(client, application, claim);
    if (answer === undefined || answer.kind === "created") continue;
    if (answer.kind !== "final") return answer;
    application.claims.remove(claim);
    return { ...answer, message: `its claim ${claim.name} cannot be made: ${answer.message}` };
  }
  return DONE;
}

/** Held claims that the pod mounts but does not own: they must exist before the pod. */
function mountedBy(application: Application, pod: KubeObject, entry: Entry): Entry[] {
  return held(application, mountedClaims(pod), (claim) => !isOwnedBy(claim, entry));
}

/**
 * Claims that are still held when the pod exists: those that it owns, and those that were requested while it was being
 * created.
 */
function leftFor(application: Application, entry: Entry): Entry[] {
  const pod = entry.state.kind === "real" ? application.pods.current(entry) : undefined;
  return pod === undefined ? [] : held(application, mountedClaims(pod), () => true);
}

function held(application: Application, names: readonly string[], matches: (claim: KubeObject) => boolean): Entry[] {
  return names.flatMap((name) => {
    const claim = application.claims.get(name);
    if (claim?.state.kind !== "waiting" && claim?.state.kind !== "creating") return [];
    return matches(claim.state.request) ? [claim] : [];
  });
}

/** Deletes the pod of this name if it is the right one, and returns whether it was. */
async function takeAwayByName(
  client: KubeClient,
  { namespace }: Application,
  name: string,
  isThatOne: (found: KubeObject) => boolean,
): Promise<boolean> {
  let found: KubeObject;
  try {
    found = await client.get(UPSTREAM.pods, name, { namespace });
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
  if (!isThatOne(found)) return false;
  await takeAway(client, UPSTREAM.pods, found);
  return true;
}
