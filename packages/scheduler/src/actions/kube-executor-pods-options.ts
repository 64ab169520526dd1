import type { KubeClient } from "@kindling/kube";
import type { OwnerReference } from "kubernetes-types/meta/v1.js";
import type { ClaimPool } from "../claims/claim-pool.ts";
import type { ExecutorResources } from "../claims/executor-claim.ts";
import type { ExecutorId } from "../executor-pod/executor-pod.ts";

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
