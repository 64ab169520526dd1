import type { TestCluster } from "./test-cluster.ts";
import type { PolicyRule } from "kubernetes-types/rbac/v1.js";

/** A service account by name. */
export interface Account {
  readonly namespace: string;
  readonly name: string;
}

const RBAC = "/apis/rbac.authorization.k8s.io/v1";

export const CREATE_PODS: PolicyRule = { apiGroups: [""], resources: ["pods"], verbs: ["create"] };
export const DELETE_PODS: PolicyRule = { apiGroups: [""], resources: ["pods"], verbs: ["delete"] };

export async function makeAccount(cluster: TestCluster, { namespace, name }: Account): Promise<void> {
  await cluster.send("POST", `/api/v1/namespaces/${namespace}/serviceaccounts`, { metadata: { name } });
}

/**
 * Grants rights to an account: in one namespace by a Role, or in all by a ClusterRole.
 *
 * @returns a function that removes them again
 */
export async function grant(
  cluster: TestCluster,
  account: Account,
  rules: readonly PolicyRule[],
  namespace?: string,
): Promise<() => Promise<void>> {
  const place = namespace === undefined ? RBAC : `${RBAC}/namespaces/${namespace}`;
  const kind = namespace === undefined ? "ClusterRole" : "Role";
  const plural = kind.toLowerCase();
  const metadata = { generateName: `${account.name}-` };
  const role = await cluster.send("POST", `${place}/${plural}s`, { metadata, rules });
  const binding = await cluster.send("POST", `${place}/${plural}bindings`, {
    metadata,
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind, name: nameOf(role) },
    subjects: [{ kind: "ServiceAccount", ...account }],
  });
  return async () => void (await cluster.send("DELETE", `${place}/${plural}bindings/${nameOf(binding)}`));
}

/** A token of an existing account; by default for staging servers. */
export function tokenOf(
  cluster: TestCluster,
  { namespace, name }: Account,
  audiences: readonly string[] = ["kindling-staging"],
  lifeSeconds?: number,
): string {
  return cluster.devCluster.serviceAccountToken(namespace, name, audiences, lifeSeconds);
}

function nameOf(made: unknown): string {
  return (made as { readonly metadata: { readonly name: string } }).metadata.name;
}
