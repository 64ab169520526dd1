import type { KubeObject } from "@kindling/kube-objects";
import { isNotFound, type KubeClient, type ResourceType } from "@kindling/kube";
import type { Application } from "../../../views/applications/application.ts";
import { isOwnedBy, type PodRef } from "../../../spark/spark-pod.ts";
import { createOrAdopt } from "../../../cluster/create-or-adopt.ts";
import { DONE, type Progress } from "../progress.ts";
import { refusalOf } from "../../../cluster/refusal.ts";
import { UPSTREAM, withoutManagedFields } from "../../../cluster/upstream-types.ts";
import type { Entry } from "../../../views/entry.ts";
import { gatesWithoutOurs, ownedBy } from "./own-objects.ts";

/** Creates the objects that an executor in the cluster owns (unless they are there already), and lets it start. */
export async function makeOwnObjects(client: KubeClient, application: Application, entry: Entry): Promise<Progress> {
  if (entry.state.kind !== "real" || entry.objects.length === 0) return DONE;
  const { name, objects } = entry;
  const { uid } = entry.state;
  for (const object of objects) {
    const progress = await makeOne(client, ownedBy(object, { name, uid }), { name, uid });
    if (progress.kind === "done") continue;
    const what = `its ${object.kind} ${object.metadata.name} cannot be made: ${progress.message}`;
    return { ...progress, message: what };
  }
  const { namespace, pods } = application;
  const pod = pods.current(entry);
  if (pod !== undefined) {
    const opened = { metadata: { uid }, spec: { schedulingGates: gatesWithoutOurs(pod) } };
    try {
      pods.seen(withoutManagedFields(await client.patch(UPSTREAM.pods, name, "merge", opened, { namespace })));
    } catch (error) {
      // It has been deleted in the meantime, and its objects go with it.
      if (!isNotFound(error)) throw error;
    }
  }
  entry.objects = [];
  return DONE;
}

async function makeOne(client: KubeClient, object: KubeObject, owner: PodRef): Promise<Progress> {
  let type: ResourceType<KubeObject>;
  try {
    const { group, version, plural, kind, namespaced } = await client.resourceFor(object.apiVersion, object.kind);
    type = { group, version, plural, kind, namespaced };
  } catch (error) {
    const refusal = refusalOf(error);
    return refusal.kind === "taken" ? { kind: "for-now", message: refusal.message } : refusal;
  }
  const answer = await createOrAdopt(client, type, object, (found) => isOwnedBy(found, owner));
  return answer.kind === "created" ? DONE : answer;
}
