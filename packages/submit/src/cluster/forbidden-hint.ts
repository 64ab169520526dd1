// The words of the API server's authorizer (apiserver, pkg/endpoints/handlers/responsewriters/errors.go).
const DENIED =
  /(?: "([^"]*)" is forbidden: )?User "([^"]*)" cannot (\S+) resource "([^"]*)" in API group "([^"]*)" (?:in the namespace "([^"]*)"|at the cluster scope)/;

// What is needed beside a verb: to follow takes three, and a server-side apply that finds nothing creates.
const VERBS: Readonly<Record<string, string>> = {
  get: "get,list,watch",
  list: "get,list,watch",
  watch: "get,list,watch",
  patch: "patch,create",
};

/**
 * What to do about a 403. Its message tells who was refused and why: a right that is missing, for which the commands
 * are given that would grant it, a quota that is used up, or a security standard that the pod does not meet.
 */
export function forbiddenHint(serverMessage: string): string | undefined {
  const denied = DENIED.exec(serverMessage);
  if (denied !== null) return grant(denied);
  if (serverMessage.includes("exceeded quota")) {
    return "the namespace's quota is used up: ask for less, or submit when other applications have ended";
  }
  if (serverMessage.includes("violates PodSecurity")) {
    return "set what the namespace's security standard asks for in a pod template: spark.kubernetes.driver.podTemplateFile";
  }
  return undefined;
}

function grant([, name, user = "", verb = "", resource = "", group = "", namespace]: RegExpExecArray): string {
  // The right to make tokens of all accounts of a namespace would be the right to be any of them.
  const only = resource === "serviceaccounts/token" ? name : undefined;
  const role = only ?? "spark-submitter";
  const rights =
    `--verb=${VERBS[verb] ?? verb} --resource=${resource}${group === "" ? "" : `.${group}`}` +
    (only === undefined ? "" : ` --resource-name=${only}`);
  const subject = subjectOf(user);
  return namespace === undefined
    ? `grant it with: kubectl create clusterrole ${role} ${rights}; ` +
        `kubectl create clusterrolebinding ${role} --clusterrole=${role} ${subject}`
    : `grant it with: kubectl -n ${namespace} create role ${role} ${rights}; ` +
        `kubectl -n ${namespace} create rolebinding ${role} --role=${role} ${subject}`;
}

function subjectOf(user: string): string {
  const [, account] = /^system:serviceaccount:(.+:.+)$/.exec(user) ?? [];
  return account === undefined ? `--user=${user}` : `--serviceaccount=${account}`;
}
