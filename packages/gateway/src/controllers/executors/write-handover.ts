import { isNotFound, type KubeClient } from "@kindling/kube";
import type { Application } from "../../views/applications/application.ts";
import { UPSTREAM, withoutManagedFields } from "../../cluster/upstream-types.ts";
import type { Entry } from "../../views/entry.ts";
import { EARLY, REQUEST } from "../../spark/marks.ts";

/** Records on an early executor that its driver has asked for it, with the driver's labels and annotations. */
export async function writeHandover(client: KubeClient, application: Application, entry: Entry): Promise<void> {
  const { handover, state, name, fingerprint = "" } = entry;
  if (handover === undefined || state.kind !== "real") return;
  const annotations = { ...handover.annotations, [EARLY]: null, [REQUEST]: fingerprint };
  const body = { metadata: { uid: state.uid, labels: handover.labels, annotations } };
  const { namespace, pods } = application;
  try {
    pods.seen(withoutManagedFields(await client.patch(UPSTREAM.pods, name, "merge", body, { namespace })));
  } catch (error) {
    // It has been deleted in the meantime.
    if (!isNotFound(error)) throw error;
  }
  entry.handover = undefined;
}
