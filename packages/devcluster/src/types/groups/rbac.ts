import { jsonEqual } from "@kindling/kube-objects";
import {
  age,
  type ResourceDefinition,
  columns,
  type Columns,
  type FieldError,
  invalidValue,
  pathSegment,
} from "@kindling/api-server";
import type { RoleBinding } from "../../objects/rbac.ts";

const GROUP = "rbac.authorization.k8s.io";

/** Roles of a namespace. */
export const roles: ResourceDefinition = roleType("Role", true);
/** Roles of the cluster. */
export const clusterRoles: ResourceDefinition = roleType("ClusterRole", false);
/** Bindings of roles in a namespace. */
export const roleBindings: ResourceDefinition = bindingType("RoleBinding", true);
/** Bindings of roles in the cluster. */
export const clusterRoleBindings: ResourceDefinition = bindingType("ClusterRoleBinding", false);

function roleType(kind: string, namespaced: boolean): ResourceDefinition {
  return {
    group: GROUP,
    kind,
    namespaced,
    rules: { nameRule: pathSegment, createOnUpdate: true },
  };
}

function bindingType(kind: string, namespaced: boolean): ResourceDefinition {
  return {
    group: GROUP,
    kind,
    namespaced,
    columns: bindingColumns(),
    rules: {
      nameRule: pathSegment,
      createOnUpdate: true,
      setDefaults: (object) => setBindingDefaults(object as RoleBinding),
      validateUpdate: ({ next, current }) => sameRole(next as RoleBinding, current as RoleBinding),
    },
  };
}

function setBindingDefaults(binding: RoleBinding): void {
  if ((binding.roleRef.apiGroup ?? "") === "") binding.roleRef.apiGroup = GROUP;
  for (const subject of binding.subjects ?? []) {
    if ((subject.apiGroup ?? "") === "" && subject.kind !== "ServiceAccount") subject.apiGroup = GROUP;
  }
}

function sameRole(next: RoleBinding, current: RoleBinding): FieldError[] {
  if (jsonEqual(next.roleRef, current.roleRef)) return [];
  return [invalidValue("roleRef", next.roleRef, "cannot change roleRef")];
}

function bindingColumns(): Columns {
  return columns("Name | Role | Age | Users* | Groups* | ServiceAccounts*", (object, now) => {
    const { metadata, roleRef, subjects = [] } = object as RoleBinding;
    const named = (kind: string): string =>
      subjects
        .flatMap((one) =>
          one.kind === kind ? [kind === "ServiceAccount" ? `${one.namespace ?? ""}/${one.name}` : one.name] : [],
        )
        .join(", ");
    return [
      metadata.name,
      `${roleRef.kind}/${roleRef.name}`,
      age(metadata.creationTimestamp, now),
      named("User"),
      named("Group"),
      named("ServiceAccount"),
    ];
  });
}
