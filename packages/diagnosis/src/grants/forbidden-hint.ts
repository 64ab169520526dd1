import { roleAllows, type Purpose } from "./roles.ts";

// The words of the API server's authorizer (apiserver, pkg/endpoints/handlers/responsewriters/errors.go).
const DENIED =
  /(?: "([^"]*)" is forbidden: )?User "([^"]*)" cannot (\S+) resource "([^"]*)" in API group "([^"]*)" (?:in the namespace "([^"]*)"|at the cluster scope)/;
// Admission of pods with an account that does not exist (apiserver, plugin/pkg/admission/serviceaccount).
const NO_ACCOUNT = /error looking up service account ([^/\s]+)\/([^:\s]+): serviceaccount "[^"]+" not found/;

// Verbs that are needed together: following takes three, and a server-side apply creates the object if it does not exist.
const VERBS: Readonly<Record<string, string>> = {
  get: "get,list,watch",
  list: "get,list,watch",
  watch: "get,list,watch",
  patch: "patch,create",
};

/**
 * What to do about a 403. Its message says who was refused and why. If a right is missing, the hint gives the command that
 * grants all needed rights. Other reasons are an account that does not exist, a quota that is used up, or a security standard
 * that the pod does not meet.
 */
export function forbiddenHint(serverMessage: string, purpose: Purpose = "submitter"): string | undefined {
  const denied = DENIED.exec(serverMessage);
  if (denied !== null) return grant(denied, purpose);
  const [, namespace, account] = NO_ACCOUNT.exec(serverMessage) ?? [];
  if (namespace !== undefined && account !== undefined) {
    return (
      `correct spark.kubernetes.authenticate.driver.serviceAccountName, or make the account: ` +
      `kubectl -n ${namespace} create serviceaccount ${account}; ${grantCommand("driver", namespace, `system:serviceaccount:${namespace}:${account}`)}`
    );
  }
  if (serverMessage.includes("exceeded quota")) {
    return "the namespace's quota is used up: ask for less, or submit when other applications have ended";
  }
  const [, limits] = /must specify ([a-z.,/-]*limits\.cpu[a-z.,/-]*)/.exec(serverMessage) ?? [];
  if (limits !== undefined) {
    return "the namespace's quota asks for limits: set spark.kubernetes.driver.limit.cores and spark.kubernetes.executor.limit.cores";
  }
  if (serverMessage.includes("must specify ")) {
    return "set what the namespace's quota asks for in a pod template: spark.kubernetes.driver.podTemplateFile";
  }
  if (serverMessage.includes("violates PodSecurity")) {
    return "let pods meet it: spark.kindling.podSecurity=restricted; what is set otherwise comes from a pod template or from a step";
  }
  return undefined;
}

function grant(
  [, name, user = "", verb = "", resource = "", group = "", namespace]: RegExpExecArray,
  purpose: Purpose,
): string {
  const subject = subjectOf(user);
  if (namespace !== undefined && roleAllows(purpose, verb, resource, group))
    return `${purpose === "submitter" ? "correct the namespace, or " : ""}let an administrator grant it: ${grantCommand(purpose, namespace, user)}`;
  // The right to create tokens for all accounts of a namespace would be the right to act as any of them.
  const only = resource === "serviceaccounts/token" ? name : undefined;
  const role = only ?? ["spark", verb, resource.replaceAll("/", "-")].join("-");
  const rights =
    `--verb=${VERBS[verb] ?? verb} --resource=${resource}${group === "" ? "" : `.${group}`}` +
    (only === undefined ? "" : ` --resource-name=${only}`);
  const [kubectl, kind, flag] =
    namespace === undefined
      ? ["kubectl", "clusterrole", "--clusterrole"]
      : [`kubectl -n ${namespace}`, "role", "--role"];
  const applied = "--dry-run=client -o yaml | kubectl apply -f -";
  return (
    `let an administrator grant it: ${kubectl} create ${kind} ${role} ${rights} ${applied}; ` +
    `${kubectl} create ${kind}binding ${role} ${flag}=${role} ${subject} ${applied}`
  );
}

/** The command for an administrator to grant somebody the needed rights, with the name that the cluster knows. */
export function grantCommand(purpose: Purpose, namespace: string, user: string): string {
  return `kindling rbac ${purpose} -n ${namespace} ${subjectOf(user)} | kubectl apply -f -`;
}

function subjectOf(user: string): string {
  const [, account] = /^system:serviceaccount:(.+:.+)$/.exec(user) ?? [];
  return account === undefined ? `--user=${user}` : `--serviceaccount=${account}`;
}
