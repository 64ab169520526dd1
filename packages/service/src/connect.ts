import { KindlingError } from "@kindling/core-spec";
import { type ClusterAccess, createKubeClient, isKubeError, type KubeClient, loadClusterAccess } from "@kindling/kube";

export interface ClusterOptions {
  /** Kubeconfig of the cluster; by default the pod's service account, or the user's kubeconfig. */
  readonly kubeconfigPath: string | undefined;
  /** The hint if there is no cluster. */
  readonly hint: string;
  /** Told what the wait is for when the kubeconfig's credentials take long. */
  readonly onWait?: (message: string) => void;
}

/**
 * Finds a service's cluster.
 *
 * @throws KindlingError `KUBECONFIG_INVALID`
 */
export async function findCluster({ kubeconfigPath, hint, onWait }: ClusterOptions): Promise<ClusterAccess> {
  try {
    return await loadClusterAccess({ kubeconfigPath, ...(onWait !== undefined && { onWait }) });
  } catch (error) {
    if (!isKubeError(error)) throw error;
    throw new KindlingError("KUBECONFIG_INVALID", error.message, { hint, cause: error });
  }
}

/**
 * A client of a service's cluster. It sends no request yet, so that a service can start while its API server is away.
 *
 * @param kubeconfigPath the value of the setting `cluster.kubeconfig`
 * @param userAgent the service's name
 * @throws KindlingError `KUBECONFIG_INVALID`
 */
export async function connect(kubeconfigPath: string | undefined, userAgent: string): Promise<KubeClient> {
  const access = await findCluster({ kubeconfigPath, hint: "name one with cluster.kubeconfig" });
  return createKubeClient(access, { userAgent });
}
