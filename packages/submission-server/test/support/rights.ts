import { roleObjects } from "@kindling/submit";
import { grant, makeAccount, type Account, tokenOf } from "@kindling/test-cluster/accounts";
import type { TestCluster } from "@kindling/test-cluster/test-cluster";
import type { PolicyRule } from "kubernetes-types/rbac/v1.js";

const ACCOUNT: Account = { namespace: "default", name: "kindling-submission" };

/** The rights in a namespace are those of any submitter. */
const [SUBMITTER] = roleObjects("submitter", "spark-jobs", { kind: "User", name: "kindling" });

/** The rights in the whole cluster to ask about tokens and rights. */
const EVERYWHERE: readonly PolicyRule[] = [
  { apiGroups: ["authentication.k8s.io"], resources: ["tokenreviews"], verbs: ["create"] },
  { apiGroups: ["authorization.k8s.io"], resources: ["subjectaccessreviews"], verbs: ["create"] },
];

/** A token of an account with the service's own rights in `spark-jobs`. */
export async function serviceToken(cluster: TestCluster): Promise<string> {
  await makeAccount(cluster, ACCOUNT);
  await grant(cluster, ACCOUNT, (SUBMITTER as { rules: PolicyRule[] }).rules, "spark-jobs");
  await grant(cluster, ACCOUNT, EVERYWHERE);
  return tokenOf(cluster, ACCOUNT, [], 86_400);
}

const VERBS: Readonly<Record<string, PolicyRule>> = {
  submit: { apiGroups: [""], resources: ["pods"], verbs: ["create"] },
  view: { apiGroups: [""], resources: ["pods"], verbs: ["get"] },
  log: { apiGroups: [""], resources: ["pods/log"], verbs: ["get"] },
  kill: { apiGroups: [""], resources: ["pods"], verbs: ["delete"] },
};

/** A token for the service, of an account with some of these rights in `spark-jobs`. */
export async function clientToken(
  cluster: TestCluster,
  name: string,
  rights: readonly string[],
  audiences: readonly string[] = ["kindling-submission"],
): Promise<string> {
  const account = { namespace: "spark-jobs", name };
  await makeAccount(cluster, account);
  const rules = rights.flatMap((right) => VERBS[right] ?? []);
  if (rules.length > 0) await grant(cluster, account, rules, "spark-jobs");
  return tokenOf(cluster, account, audiences);
}
