import { kubeconfigFor } from "@kindling/test-kit/kubeconfig-file";
import { TestCluster, type TestClusterOptions } from "@kindling/test-cluster/test-cluster";
import type { PolicyRule } from "kubernetes-types/rbac/v1.js";
import { grant, makeAccount, type Account } from "@kindling/test-cluster/accounts";

/** A cluster with a staging server's account, which has only the rights that the server's README names. */
export interface ServedCluster {
  readonly cluster: TestCluster;
  /** The token of the server's account. */
  readonly token: string;
  /** Path of a kubeconfig of that account. */
  readonly kubeconfig: string;
  /** Revokes the right to read owners in a namespace; open watches stay open. */
  readonly revoke: (namespace: string) => Promise<void>;
}

/** The namespace of the server itself: no pods of applications run there. */
export const OWN_NAMESPACE = "staging";
const ACCOUNT: Account = { namespace: OWN_NAMESPACE, name: "kindling-staging-server" };
const SERVED_NAMESPACES = ["default", "spark-jobs", "elsewhere"] as const;
const LIFE_SECONDS = 86_400;

const READ = ["get", "list", "watch"];
const OWNERS: readonly PolicyRule[] = [
  { apiGroups: [""], resources: ["pods"], verbs: READ },
  { apiGroups: ["sparkoperator.k8s.io"], resources: ["sparkapplications"], verbs: READ },
];
const LEASES: PolicyRule = {
  apiGroups: ["coordination.k8s.io"],
  resources: ["leases"],
  verbs: ["get", "create", "update"],
};
const EVERYWHERE: readonly PolicyRule[] = [
  { apiGroups: ["authentication.k8s.io"], resources: ["tokenreviews"], verbs: ["create"] },
  { apiGroups: ["authorization.k8s.io"], resources: ["subjectaccessreviews"], verbs: ["create"] },
  { apiGroups: [""], resources: ["namespaces"], verbs: ["get"] },
];

export async function servedCluster(options: TestClusterOptions = {}): Promise<ServedCluster> {
  const cluster = await TestCluster.start({ authorization: "rbac", ...options });
  await cluster.send("POST", "/api/v1/namespaces", { metadata: { name: OWN_NAMESPACE } });
  await makeAccount(cluster, ACCOUNT);
  await grant(cluster, ACCOUNT, EVERYWHERE);
  await grant(cluster, ACCOUNT, [LEASES], OWN_NAMESPACE);
  const revocations = new Map<string, () => Promise<void>>();
  for (const namespace of SERVED_NAMESPACES) {
    revocations.set(namespace, await grant(cluster, ACCOUNT, OWNERS, namespace));
  }
  const token = cluster.devCluster.serviceAccountToken(ACCOUNT.namespace, ACCOUNT.name, [], LIFE_SECONDS);
  return {
    cluster,
    token,
    kubeconfig: kubeconfigFor(cluster, { token }),
    async revoke(namespace) {
      await revocations.get(namespace)?.();
    },
  };
}
