import {
  age,
  type ResourceDefinition,
  columns,
  type Columns,
  type FieldError,
  invalidValue,
  jsonEqual,
  notSupported,
  pathSegment,
  required,
} from "@kindling/api-server";
import type { PolicyRule, Role, RoleBinding, Subject } from "../../objects/rbac.ts";

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
    rules: {
      nameRule: pathSegment,
      createOnUpdate: true,
      validate: (object) => validateRules((object as Role).rules ?? [], namespaced),
      validateUpdate: ({ next }) => validateRules((next as Role).rules ?? [], namespaced),
    },
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
      validate: (object) => validateBinding(object as RoleBinding, namespaced),
      validateUpdate: ({ next, current }) => [
        ...validateBinding(next as RoleBinding, namespaced),
        ...sameRole(next as RoleBinding, current as RoleBinding),
      ],
    },
  };
}

function setBindingDefaults(binding: RoleBinding): void {
  if ((binding.roleRef.apiGroup ?? "") === "") binding.roleRef.apiGroup = GROUP;
  for (const subject of binding.subjects ?? []) {
    if ((subject.apiGroup ?? "") === "" && subject.kind !== "ServiceAccount") subject.apiGroup = GROUP;
  }
}

function validateRules(rules: readonly PolicyRule[], namespaced: boolean): FieldError[] {
  return rules.flatMap((rule, index) => {
    const at = `rules[${index}]`;
    const errors: FieldError[] = [];
    if ((rule.verbs ?? []).length === 0) errors.push(required(`${at}.verbs`, "verbs must contain at least one value"));
    if ((rule.nonResourceURLs ?? []).length > 0) {
      if (namespaced) {
        const why = "namespaced rules cannot apply to non-resource URLs";
        errors.push(invalidValue(`${at}.nonResourceURLs`, rule.nonResourceURLs, why));
      }
      return errors;
    }
    if ((rule.apiGroups ?? []).length === 0) {
      errors.push(required(`${at}.apiGroups`, "resource rules must supply at least one api group"));
    }
    if ((rule.resources ?? []).length === 0) {
      errors.push(required(`${at}.resources`, "resource rules must supply at least one resource"));
    }
    return errors;
  });
}

function validateBinding({ roleRef, subjects }: RoleBinding, namespaced: boolean): FieldError[] {
  const errors: FieldError[] = [];
  if (roleRef.apiGroup !== GROUP) errors.push(notSupported("roleRef.apiGroup", roleRef.apiGroup, [GROUP]));
  const kinds = namespaced ? ["Role", "ClusterRole"] : ["ClusterRole"];
  if (!kinds.includes(roleRef.kind)) errors.push(notSupported("roleRef.kind", roleRef.kind, kinds));
  if (roleRef.name === "") errors.push(required("roleRef.name"));
  (subjects ?? []).forEach((subject, index) =>
    errors.push(...validateSubject(subject, namespaced, `subjects[${index}]`)),
  );
  return errors;
}

function validateSubject(subject: Subject, namespaced: boolean, at: string): FieldError[] {
  const errors: FieldError[] = [];
  if (subject.name === "") errors.push(required(`${at}.name`));
  if (!["ServiceAccount", "User", "Group"].includes(subject.kind)) {
    return [...errors, notSupported(`${at}.kind`, subject.kind, ["ServiceAccount", "User", "Group"])];
  }
  if (!namespaced && subject.kind === "ServiceAccount" && (subject.namespace ?? "") === "")
    errors.push(required(`${at}.namespace`));
  return errors;
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
