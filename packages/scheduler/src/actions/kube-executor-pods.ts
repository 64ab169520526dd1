import { isKubeError, isNotFound, isConflict, resources, type KubeClient, type KubeError } from "@kindling/kube";
import type { OwnerReference } from "kubernetes-types/meta/v1.js";
import type { Pod } from "kubernetes-types/core/v1.js";
import type { CreateOutcome } from "./create-outcome.ts";
import type { ClaimPool } from "../claims/claim-pool.ts";
import type { ExecutorResources } from "../claims/executor-claim.ts";
import { APPLICATION_LABEL, EXECUTOR_ID_LABEL, EXECUTORS, INACTIVE_LABEL } from "../pods/labels.ts";
import type { ExecutorId } from "../pods/executor-pod.ts";
import type { ExecutorPods } from "./executor-pods.ts";

export interface KubeExecutorPodsOptions {
  readonly client: KubeClient;
  readonly namespace: string;
  /** Value of the label `spark-app-selector`, which `build` must set on the pods. */
  readonly applicationId: string;
  /**
   * Builds the pod of an executor, with all its labels, and the claims that it needs. An error that it throws counts as a
   * refusal.
   */
  readonly build: (id: ExecutorId, profileId: number) => ExecutorResources;
  /** The owner of the claims; default: the pod for which they are created. */
  readonly claimOwner?: OwnerReference | undefined;
  readonly claimPool?: ClaimPool | undefined;
}

/** The highest number of ids in a selector: request lines have a limit, and 500 ids stay far below it. */
const IDS_PER_REQUEST = 500;

/** The executor pods of an application at an API server, by the requests that Spark's own allocator makes. */
export function kubeExecutorPods(options: KubeExecutorPodsOptions): ExecutorPods {
  const { client, namespace, applicationId, build, claimOwner, claimPool } = options;

  async function deleteSelected(ids: readonly ExecutorId[], fieldSelector?: string): Promise<void> {
    for (let start = 0; start < ids.length; start += IDS_PER_REQUEST) {
      const some = ids.slice(start, start + IDS_PER_REQUEST).join(",");
      const labelSelector = `${APPLICATION_LABEL}=${applicationId},${EXECUTORS},${EXECUTOR_ID_LABEL} in (${some})`;
      const selection = { namespace, labelSelector, fieldSelector, propagationPolicy: "Background" } as const;
      await client.deleteCollection(resources.pods, selection);
    }
  }

  async function createClaims({ claims }: ExecutorResources, pod: Pod): Promise<void> {
    const owner = claimOwner ?? ownerReferenceOf(pod);
    for (const claim of claims) {
      const metadata = { ...claim.metadata, ownerReferences: [owner] };
      await client.create(resources.persistentvolumeclaims, { ...claim, metadata }, { namespace });
    }
  }

  /** The existing pod with this name, if it is the executor that should be created. */
  async function existing({ pod }: ExecutorResources): Promise<Pod | undefined> {
    const found = await client.get(resources.pods, pod.metadata?.name ?? "", { namespace });
    const own = pod.metadata?.labels ?? {};
    const labels = found.metadata?.labels ?? {};
    return [APPLICATION_LABEL, EXECUTOR_ID_LABEL].every((label) => labels[label] === own[label]) ? found : undefined;
  }

  async function createPod(executor: ExecutorResources): Promise<Pod> {
    try {
      return await client.create(resources.pods, executor.pod, { namespace });
    } catch (error) {
      // An earlier attempt may have created exactly this pod, if its answer was lost.
      const isOwn = isKubeError(error) && isConflict(error) && error.mayHaveHappened;
      const found = isOwn ? await existing(executor) : undefined;
      if (found === undefined) throw error;
      return found;
    }
  }

  return {
    async create(id, profileId) {
      let executor: ExecutorResources;
      try {
        const planned = build(id, profileId);
        executor = claimPool?.substitute(planned) ?? planned;
      } catch (error) {
        return { kind: "refused", message: messageOf(error) };
      }
      let pod: Pod;
      try {
        pod = await createPod(executor);
      } catch (error) {
        return failed(error, () => claimPool?.release(executor));
      }
      try {
        await createClaims(executor, pod);
      } catch (error) {
        // A pod without its claims would stay pending for ever.
        await client.delete(resources.pods, pod.metadata?.name ?? "", { namespace }).catch(() => undefined);
        return failed(error, () => claimPool?.release(executor));
      }
      return { kind: "created", claims: executor.claims.length };
    },
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

/** If the pod may exist after an error, the outcome is `unknown`. */
function failed(error: unknown, onRefused: () => void): CreateOutcome {
  if (isKubeError(error) && error.mayHaveHappened && !isAnswer(error))
    return { kind: "unknown", message: error.message };
  onRefused();
  return { kind: "refused", message: messageOf(error) };
}

/**
 * Whether the API server has refused the request. Then a pod of this name, whatever happened before, is not the requested
 * one.
 */
function isAnswer(error: KubeError): boolean {
  return error.kind === "status" && error.status < 500;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function ownerReferenceOf({ metadata: { name = "", uid = "" } = {} }: Pod): OwnerReference {
  return { apiVersion: "v1", kind: "Pod", name, uid, controller: true };
}
