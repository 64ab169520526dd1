import { createKubeClient, loadClusterAccess, resources } from "@kindling/kube";

/** The service account of drivers. */
export const DRIVER_ACCOUNT = "spark";
const NAMESPACE = "default";

/** Makes the account that drivers run as, which may do in its namespace what the role `edit` lets it. */
export async function makeDriverAccount(kubeconfig: string): Promise<void> {
  const client = createKubeClient(await loadClusterAccess({ kubeconfigPath: kubeconfig }), { namespace: NAMESPACE });
  try {
    const metadata = { name: DRIVER_ACCOUNT };
    await client.create(resources.serviceaccounts, { apiVersion: "v1", kind: "ServiceAccount", metadata });
    const group = "rbac.authorization.k8s.io";
    const binding = {
      apiVersion: `${group}/v1`,
      kind: "RoleBinding",
      metadata,
      roleRef: { apiGroup: group, kind: "ClusterRole", name: "edit" },
      subjects: [{ kind: "ServiceAccount", name: DRIVER_ACCOUNT, namespace: NAMESPACE }],
    };
    await client.create(await client.resourceFor(binding.apiVersion, binding.kind), binding);
  } finally {
    client.close();
  }
}
