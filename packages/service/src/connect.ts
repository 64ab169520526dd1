import { KindlingError } from "@kindling/core-spec";
import { type ClusterAccess, createKubeClient, isKubeError, type KubeClient, loadClusterAccess } from "@kindling/kube";

export interface ClusterOptions {
  /** Kubeconfig of the cluster; by default that of the pod, or the user's own. */
  readonly kubeconfigPath: string | undefined;
  /** What to do where there is none. */
  readonly hint: string;
  /** Told what is waited for when the kubeconfig's credentials take long. */
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
 * A client of a service's cluster. Asks nothing of the cluster yet: a service starts while its API server is away.
 *
 * @param kubeconfigPath as the setting `cluster.kubeconfig` has it
 * @param userAgent the service's name
 * @throws KindlingError `KUBECONFIG_INVALID`
 */
export async function connect(kubeconfigPath: string | undefined, userAgent: string): Promise<KubeClient> {
  const access = await findCluster({ kubeconfigPath, hint: "name one with cluster.kubeconfig" });
  return createKubeClient(access, { userAgent });
}
