import type { KubeObject } from "@kindling/kube-objects";
import type { Api, Attributes, User } from "@kindling/api-server";
import { MASTERS } from "./cluster-users.ts";
import type { PolicyRule, Role, RoleBinding, Subject } from "../objects/rbac.ts";

const GROUP = "rbac.authorization.k8s.io";

/** Decides by the roles and bindings in the store (counterpart of the RBAC authorizer). */
export class Rbac {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Whether a user may do something. */
  allows(user: User, attributes: Attributes): boolean {
    if (user.groups.includes(MASTERS)) return true;
    const namespace = attributes.kind === "resource" ? attributes.namespace : "";
    for (const rule of this.#rules(user, namespace)) if (allows(rule, attributes)) return true;
    return false;
  }

  *#rules(user: User, namespace: string): Generator<PolicyRule> {
    yield* this.#rulesOf(user, `clusterrolebindings.${GROUP}`, undefined);
    if (namespace !== "") yield* this.#rulesOf(user, `rolebindings.${GROUP}`, namespace);
  }

  *#rulesOf(user: User, resource: string, namespace: string | undefined): Generator<PolicyRule> {
    for (const { object } of this.#api.store.collection(resource).list(namespace)) {
      const binding = object as RoleBinding;
      const bound = (binding.subjects ?? []).some((one) => isSubject(user, one, namespace));
      if (bound) yield* this.#rulesOfRole(binding, namespace);
    }
  }

  #rulesOfRole({ roleRef }: RoleBinding, namespace: string | undefined): readonly PolicyRule[] {
    const store = this.#api.store;
    const role =
      roleRef.kind === "Role"
        ? store.collection(`roles.${GROUP}`).get(namespace, roleRef.name)
        : store.collection(`clusterroles.${GROUP}`).get(undefined, roleRef.name);
    return (role?.object as (KubeObject & Role) | undefined)?.rules ?? [];
  }
}

function isSubject(user: User, subject: Subject, namespace: string | undefined): boolean {
  switch (subject.kind) {
    case "User":
      return subject.name === user.name;
    case "Group":
      return user.groups.includes(subject.name);
    case "ServiceAccount":
      return user.name === `system:serviceaccount:${subject.namespace ?? namespace ?? ""}:${subject.name}`;
    default:
      return false;
  }
}

function allows(rule: PolicyRule, attributes: Attributes): boolean {
  const has = (list: readonly string[] | undefined | null, value: string): boolean =>
    list?.includes("*") === true || list?.includes(value) === true;
  if (!has(rule.verbs, attributes.verb)) return false;
  if (attributes.kind === "path") {
    return (rule.nonResourceURLs ?? []).some((pattern) => matchesPath(pattern, attributes.path));
  }
  if (!has(rule.apiGroups, attributes.group) || !allowsResource(rule.resources ?? [], attributes)) return false;
  const names = rule.resourceNames ?? [];
  return names.length === 0 || names.includes(attributes.name);
}

function allowsResource(
  resources: readonly string[],
  { resource, subresource }: { resource: string; subresource: string },
): boolean {
  const wanted = subresource === "" ? resource : `${resource}/${subresource}`;
  return resources.some((one) => one === "*" || one === wanted || (subresource !== "" && one === `*/${subresource}`));
}

function matchesPath(pattern: string, path: string): boolean {
  return pattern === "*" || pattern === path || (pattern.endsWith("*") && path.startsWith(pattern.slice(0, -1)));
}
