// The words of the API server's authorizer (apiserver, pkg/endpoints/handlers/responsewriters/errors.go).
const DENIED =
  /User "([^"]*)" cannot (\S+) resource "([^"]*)" in API group "([^"]*)" (?:in the namespace "([^"]*)"|at the cluster scope)/;

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

function grant([, user = "", verb = "", resource = "", group = "", namespace]: RegExpExecArray): string {
  const rights = `--verb=${VERBS[verb] ?? verb} --resource=${resource}${group === "" ? "" : `.${group}`}`;
  const subject = subjectOf(user);
  return namespace === undefined
    ? `grant it with: kubectl create clusterrole spark-submitter ${rights}; ` +
        `kubectl create clusterrolebinding spark-submitter --clusterrole=spark-submitter ${subject}`
    : `grant it with: kubectl -n ${namespace} create role spark-submitter ${rights}; ` +
        `kubectl -n ${namespace} create rolebinding spark-submitter --role=spark-submitter ${subject}`;
}

function subjectOf(user: string): string {
  const [, account] = /^system:serviceaccount:(.+:.+)$/.exec(user) ?? [];
  return account === undefined ? `--user=${user}` : `--serviceaccount=${account}`;
}
