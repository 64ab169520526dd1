import type { Api, Attributes, KubeObject, User } from "@kindling/api-server";
import { MASTERS } from "./cluster-users.ts";
import type { PolicyRule, Role, RoleBinding, Subject } from "../objects/rbac.ts";

const GROUP = "rbac.authorization.k8s.io";

/** Whether a user may do something, and what speaks for it. */
export interface Decision {
  readonly allowed: boolean;
  readonly reason: string;
}

/** A role that a user has, with the binding that gives it. */
interface Grant {
  readonly rules: readonly PolicyRule[];
  readonly reason: string;
}

/** Decides by the roles and bindings in the store (counterpart of the RBAC authoriser). */
export class Rbac {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  decide(user: User, attributes: Attributes): Decision {
    if (user.groups.includes(MASTERS)) return { allowed: true, reason: "" };
    const namespace = attributes.kind === "resource" ? attributes.namespace : "";
    for (const { rules, reason } of this.#grants(user, namespace)) {
      if (rules.some((rule) => allows(rule, attributes))) return { allowed: true, reason };
    }
    return { allowed: false, reason: "" };
  }

  *#grants(user: User, namespace: string): Generator<Grant> {
    yield* this.#grantsOf(user, `clusterrolebindings.${GROUP}`, undefined);
    if (namespace !== "") yield* this.#grantsOf(user, `rolebindings.${GROUP}`, namespace);
  }

  *#grantsOf(user: User, resource: string, namespace: string | undefined): Generator<Grant> {
    for (const { object } of this.#api.store.collection(resource).list(namespace)) {
      const binding = object as RoleBinding;
      const subject = (binding.subjects ?? []).find((one) => isSubject(user, one, namespace));
      if (subject === undefined) continue;
      const rules = this.#rulesOfRole(binding, namespace);
      const name = namespace === undefined ? binding.metadata.name : `${binding.metadata.name}/${namespace}`;
      const role = `${binding.roleRef.kind} ${JSON.stringify(binding.roleRef.name)}`;
      yield {
        rules,
        reason: `RBAC: allowed by ${binding.kind} ${JSON.stringify(name)} of ${role} to ${describe(subject, namespace)}`,
      };
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

function describe(subject: Subject, namespace: string | undefined): string {
  if (subject.kind !== "ServiceAccount") return `${subject.kind} ${JSON.stringify(subject.name)}`;
  return `ServiceAccount ${JSON.stringify(`${subject.name}/${subject.namespace ?? namespace ?? ""}`)}`;
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
