// @ts-check
import { resources, startReflector } from "@kindling/kube";
import { SCHEDULER_QUEUE_LABEL, SPARK_APP_ID_LABEL } from "@kindling/core-spec";
import { systemClock as clock } from "@kindling/outside";

/** @typedef {{ uid: string, queue?: string, application?: string, usesNode: boolean }} KnownPod */

/** @typedef {{ of: (queue: string) => number, stop: () => Promise<void> }} Use */

/**
 * Follows how many processors of nodes each queue uses; each pod requests one.
 *
 * @param {import("@kindling/kube").KubeClient} client
 * @param {string} namespace
 * @returns {Promise<Use>}
 */
export async function followUse(client, namespace) {
  /** @type {Map<string, KnownPod>} */
  const pods = new Map();
  const reflector = startReflector(client, resources.pods, {
    namespace,
    clock,
    keep: known,
    sink: {
      replace(items) {
        pods.clear();
        for (const pod of items) pods.set(pod.uid, pod);
      },
      apply(event) {
        if (event.type === "DELETED") pods.delete(event.object.uid);
        else if (event.type !== "BOOKMARK") pods.set(event.object.uid, event.object);
      },
    },
  });
  await reflector.synced;
  return {
    of(queue) {
      const all = [...pods.values()];
      const applications = new Set(all.filter((pod) => pod.queue === queue).map(({ application }) => application));
      return all.filter(({ application, usesNode }) => usesNode && applications.has(application)).length;
    },
    stop: () => reflector.stop(),
  };
}

/**
 * @param {import("kubernetes-types/core/v1.js").Pod} pod
 * @returns {KnownPod}
 */
function known({ metadata = {}, spec, status }) {
  const { [SCHEDULER_QUEUE_LABEL]: queue, [SPARK_APP_ID_LABEL]: application } = metadata.labels ?? {};
  const hasEnded = status?.phase === "Succeeded" || status?.phase === "Failed";
  return {
    uid: metadata.uid ?? "",
    ...(queue !== undefined && { queue }),
    ...(application !== undefined && { application }),
    usesNode: spec?.nodeName !== undefined && !hasEnded,
  };
}
