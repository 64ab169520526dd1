import { type KubeClient, resources } from "@kindling/kube";

/** The namespace of applications, and the service account of their drivers. */
export const NAMESPACE = "default";
export const DRIVER_ACCOUNT = "spark";

/**
 * Creates the account that drivers run as. It has the role `edit` in its namespace if drivers create their executors
 * themselves; drivers of a gateway have no rights.
 */
export async function makeDriverAccount(
  client: KubeClient,
  makesExecutors: boolean,
  name: string = DRIVER_ACCOUNT,
): Promise<void> {
  const metadata = { name };
  await client.create(resources.serviceaccounts, { apiVersion: "v1", kind: "ServiceAccount", metadata });
  if (!makesExecutors) return;
  const group = "rbac.authorization.k8s.io";
  const binding = {
    apiVersion: `${group}/v1`,
    kind: "RoleBinding",
    metadata,
    roleRef: { apiGroup: group, kind: "ClusterRole", name: "edit" },
    subjects: [{ kind: "ServiceAccount", name, namespace: NAMESPACE }],
  };
  await client.create(await client.resourceFor(binding.apiVersion, binding.kind), binding);
}
