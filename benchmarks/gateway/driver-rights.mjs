// @ts-check
const ROLES = { group: "rbac.authorization.k8s.io", version: "v1", namespaced: true };

/**
 * Gives the account `spark` the rights of drivers that create their executors themselves.
 *
 * @param {import("@kindling/kube").KubeClient} client
 * @param {string} namespace
 */
export async function giveDriversRights(client, namespace) {
  const rules = [
    {
      apiGroups: [""],
      resources: ["pods", "configmaps", "persistentvolumeclaims", "services"],
      verbs: ["get", "list", "watch", "create", "delete", "deletecollection", "patch", "update"],
    },
  ];
  const role = { ...ROLES, kind: "Role", plural: "roles" };
  const binding = { ...ROLES, kind: "RoleBinding", plural: "rolebindings" };
  const metadata = { name: "drivers" };
  const drivers = { metadata, rules };
  await client.create(role, drivers, { namespace });
  const roleRef = { apiGroup: ROLES.group, kind: "Role", name: "drivers" };
  const subjects = [{ kind: "ServiceAccount", name: "spark", namespace }];
  const bound = { metadata, roleRef, subjects };
  await client.create(binding, bound, { namespace });
}
