import { type KubeObjectLike, resources, type KubeClient } from "@kindling/kube";
import { roleRules, type Purpose } from "@kindling/diagnosis";
import { ifVisible, ok, problem, skipped, warning, type Found } from "./finding.ts";

/** One thing that a user may or may not do. */
export interface Right {
  readonly verb: string;
  readonly group: string;
  /** `pods`, or `pods/log`. */
  readonly resource: string;
  /** The one object that the right is for. */
  readonly name?: string;
}

const AT_A_TIME = 8;

type Reviewed = KubeObjectLike & { readonly status?: { readonly allowed?: boolean } };

/** All rights in the role of a purpose. */
export function rightsOf(purpose: Purpose): readonly Right[] {
  return roleRules(purpose).flatMap(({ apiGroups, resources: names, verbs }) =>
    apiGroups.flatMap((group) => names.flatMap((resource) => verbs.map((verb) => ({ verb, group, resource })))),
  );
}

// An application needs all of these rights. The others are for special uses, or for managing applications.
const NEEDED: Readonly<Record<Purpose, RegExp>> = {
  submitter:
    /^(?:get|list|watch|create|patch|delete) pods$|^(?:create|patch) (?:services|configmaps|secrets)$|^get pods\/log$/,
  driver: /^(?:get|list|watch|create|delete|deletecollection) pods$|^create configmaps$/,
};

function isNeeded(purpose: Purpose, { verb, resource }: Right): boolean {
  return NEEDED[purpose].test(`${verb} ${resource}`);
}

/** The rights that the caller does not have (SelfSubjectAccessReview). */
export async function missingRights(
  client: KubeClient,
  namespace: string,
  rights: readonly Right[],
  signal: AbortSignal | undefined,
): Promise<readonly Right[]> {
  const allowed = await eachOf(rights, async (right) => {
    const spec = { resourceAttributes: attributes(namespace, right) };
    const review = { apiVersion: "authorization.k8s.io/v1", kind: "SelfSubjectAccessReview", spec };
    const { status } = await client.create<Reviewed>(resources.selfsubjectaccessreviews, review, { signal });
    return status?.allowed === true;
  });
  return rights.filter((_, index) => allowed[index] !== true);
}

/** The rights of a submitter's role that the caller has. */
export async function ownRights(
  client: KubeClient,
  namespace: string,
  signal: AbortSignal | undefined,
): Promise<Found> {
  const missing = await missingRights(client, namespace, rightsOf("submitter"), signal);
  if (missing.length === 0) return ok(`you may submit in namespace ${namespace}, and follow what you submit`);
  const needed = missing.filter((right) => isNeeded("submitter", right));
  const grant = `let an administrator grant it: kindling rbac submitter -n ${namespace} --user=YOU | kubectl apply -f -`;
  if (needed.length > 0) return problem(`in namespace ${namespace} you may not ${shown(needed)}`, grant);
  return warning(`you may submit in namespace ${namespace}, but not ${shown(missing)}`, grant);
}

/** The rights that the driver's account needs. Only users who may ask about others can check this (SubjectAccessReview). */
export async function driverRights(
  client: KubeClient,
  namespace: string,
  account: string,
  signal: AbortSignal | undefined,
): Promise<Found> {
  return await ifVisible(async () => {
    const user = `system:serviceaccount:${namespace}:${account}`;
    const groups = ["system:serviceaccounts", `system:serviceaccounts:${namespace}`, "system:authenticated"];
    const type = await client.resourceFor("authorization.k8s.io/v1", "SubjectAccessReview", { signal });
    const rights = rightsOf("driver");
    const allowed = await eachOf(rights, async (right) => {
      const spec = { user, groups, resourceAttributes: attributes(namespace, right) };
      const review = { apiVersion: "authorization.k8s.io/v1", kind: "SubjectAccessReview", spec };
      return (await client.create<Reviewed>(type, review, { signal })).status?.allowed === true;
    });
    const missing = rights.filter((_, index) => allowed[index] !== true);
    if (missing.length === 0) return ok(`account ${account} may do what a driver does`);
    const needed = missing.filter((right) => isNeeded("driver", right));
    const found = needed.length > 0 ? problem : warning;
    return found(
      `account ${account} may not ${shown(needed.length > 0 ? needed : missing)}`,
      `kindling rbac driver -n ${namespace} --serviceaccount ${account} | kubectl apply -f -; or name another account with spark.kubernetes.authenticate.driver.serviceAccountName`,
    );
  }).then((found) => (found.state === "skipped" ? skipped(`you may not ask what account ${account} may do`) : found));
}

/** A few at a time: API servers throttle a burst of dozens of requests. */
async function eachOf<T, R>(items: readonly T[], ask: (item: T) => Promise<R>): Promise<R[]> {
  const answers: R[] = [];
  for (let begin = 0; begin < items.length; begin += AT_A_TIME) {
    answers.push(...(await Promise.all(items.slice(begin, begin + AT_A_TIME).map(ask))));
  }
  return answers;
}

function attributes(namespace: string, { verb, group, resource: path, name }: Right): Record<string, string> {
  const [resource = "", subresource] = path.split("/");
  return {
    ...{ namespace, verb, group, resource },
    ...(subresource !== undefined && { subresource }),
    ...(name !== undefined && { name }),
  };
}

/** `create, patch pods, services`: a short text for what may be dozens of rights. */
export function shown(rights: readonly Right[]): string {
  const verbsOf = new Map<string, string[]>();
  for (const { verb, resource } of rights) verbsOf.set(resource, [...(verbsOf.get(resource) ?? []), verb]);
  const resourcesOf = new Map<string, string[]>();
  for (const [resource, verbs] of verbsOf) {
    const words = verbs.join(", ");
    resourcesOf.set(words, [...(resourcesOf.get(words) ?? []), resource]);
  }
  return [...resourcesOf].map(([verbs, names]) => `${verbs} ${names.join(", ")}`).join("; ");
}
