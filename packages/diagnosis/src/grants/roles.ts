/** Who needs rights in a namespace: a submitter, or the account that drivers run as. */
export type Purpose = "submitter" | "driver";

/** A user, a group, or a service account as `namespace:name`. */
export interface Subject {
  readonly kind: "User" | "Group" | "ServiceAccount";
  readonly name: string;
}

/** As in a Role. */
export interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

const WRITE = ["create", "patch", "delete"];
const READ = ["get", "list", "watch"];

/**
 * All rights that each needs: a submitter those for `kindling submit`, `status`, `list`, `logs` and `kill`; a driver those
 * for Spark 3.5 to 4.3, also with persistent volumes (measured in recordings). A driver of the gateway
 * (spark.kindling.scheduler=gateway) asks the API server for nothing, and needs no role.
 */
export const RULES: Readonly<Record<Purpose, readonly Rule[]>> = {
  submitter: [
    { apiGroups: [""], resources: ["pods"], verbs: [...READ, ...WRITE] },
    { apiGroups: [""], resources: ["services", "configmaps", "secrets"], verbs: WRITE },
    { apiGroups: [""], resources: ["services", "configmaps", "events"], verbs: READ },
    { apiGroups: [""], resources: ["pods/log"], verbs: ["get"] },
    // For the level of pod security that the namespace enforces. A Role allows this for its own namespace.
    { apiGroups: [""], resources: ["namespaces"], verbs: ["get"] },
    // For the driver's web pages. A WebSocket is asked for with GET, and Kubernetes before 1.35 takes that as `get`.
    { apiGroups: [""], resources: ["pods/portforward"], verbs: ["create", "get"] },
    { apiGroups: ["networking.k8s.io"], resources: ["networkpolicies"], verbs: ["get", ...WRITE] },
  ],
  driver: [
    {
      apiGroups: [""],
      resources: ["pods", "services", "configmaps", "persistentvolumeclaims"],
      verbs: [...READ, "create", "update", "patch", "delete", "deletecollection"],
    },
  ],
};

/** The rules of the role of a purpose. */
export function roleRules(purpose: Purpose): readonly Rule[] {
  return RULES[purpose];
}

export function roleName(purpose: Purpose): string {
  return `spark-${purpose}`;
}

/** Whether the role of this purpose has such a right. */
export function roleAllows(purpose: Purpose, verb: string, resource: string, group: string): boolean {
  return RULES[purpose].some(
    (rule) => rule.verbs.includes(verb) && rule.resources.includes(resource) && rule.apiGroups.includes(group),
  );
}

/** The Role and its RoleBinding, for `kubectl apply`: applying them twice gives the same result as once. */
export function roleObjects(purpose: Purpose, namespace: string, subject: Subject): readonly object[] {
  const name = roleName(purpose);
  const [own = subject.name, account = own] = subject.kind === "ServiceAccount" ? subject.name.split(":") : [];
  const bound = `${name}-${(subject.kind === "ServiceAccount" ? account : subject.name).toLowerCase().replaceAll(/[^a-z0-9.-]+/g, "-")}`;
  return [
    { apiVersion: "rbac.authorization.k8s.io/v1", kind: "Role", metadata: { name, namespace }, rules: RULES[purpose] },
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "RoleBinding",
      metadata: { name: bound, namespace },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name },
      subjects: [
        subject.kind === "ServiceAccount"
          ? { kind: "ServiceAccount", name: account, namespace: own }
          : { apiGroup: "rbac.authorization.k8s.io", kind: subject.kind, name: subject.name },
      ],
    },
  ];
}
