import { isNotFound, isConflict, resources } from "@kindling/kube";
import { APPLICATION_LABEL, EXECUTOR_ID_LABEL, EXECUTORS, INACTIVE_LABEL } from "../executor-pod/labels.ts";
import type { ExecutorId } from "../executor-pod/executor-pod.ts";
import { createExecutor } from "./create-executor.ts";
import type { ExecutorPods } from "./executor-pods.ts";
import type { KubeExecutorPodsOptions } from "./kube-executor-pods-options.ts";

/** The highest number of ids in a selector: request lines have a limit, and 500 ids stay far below it. */
const IDS_PER_REQUEST = 500;

/** The executor pods of an application at an API server. It makes the same requests as Spark's own allocator. */
export function kubeExecutorPods(options: KubeExecutorPodsOptions): ExecutorPods {
  const { client, namespace, applicationId, build } = options;

  async function deleteSelected(ids: readonly ExecutorId[], fieldSelector?: string): Promise<void> {
    for (let start = 0; start < ids.length; start += IDS_PER_REQUEST) {
      const some = ids.slice(start, start + IDS_PER_REQUEST).join(",");
      const labelSelector = `${APPLICATION_LABEL}=${applicationId},${EXECUTORS},${EXECUTOR_ID_LABEL} in (${some})`;
      const selection = { namespace, labelSelector, fieldSelector, propagationPolicy: "Background" } as const;
      await client.deleteCollection(resources.pods, selection);
    }
  }

  return {
    create: (id, profileId) => createExecutor(options, () => build(id, profileId)),
    deletePending: (ids) => deleteSelected(ids, "status.phase=Pending"),
    deleteAny: (ids) => deleteSelected(ids),
    async deleteOne(pod, uid) {
      try {
        await client.delete(resources.pods, pod, { namespace, preconditions: { uid } });
      } catch (error) {
        if (!isNotFound(error) && !isConflict(error)) throw error;
      }
    },
    async markInactive(pod) {
      try {
        const metadata = { labels: { [INACTIVE_LABEL]: "true" } };
        await client.patch(resources.pods, pod, "merge", { metadata }, { namespace });
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    },
  };
}
