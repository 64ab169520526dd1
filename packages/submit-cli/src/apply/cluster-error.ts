import { isKindlingError, KindlingError, messageOf } from "@kindling/core-spec";
import { isKubeError, type KubeError } from "@kindling/kube";

/** Turns whatever a call to the API server threw into an error for the user: what was refused, and what to do. */
export function clusterError(error: unknown): KindlingError {
  if (isKindlingError(error)) return error;
  if (!isKubeError(error)) return new KindlingError("INTERNAL", messageOf(error), { cause: error });
  const hint = error.hint;
  switch (error.kind) {
    case "status":
      return statusError(error, error.status, error.serverMessage, error.causes);
    case "unreachable":
    case "timeout":
    case "protocol":
      return new KindlingError("CLUSTER_UNREACHABLE", error.message, {
        hint: hint ?? "check --master or the kubeconfig's context, and that this machine reaches the cluster",
        cause: error,
      });
    case "tls":
      return new KindlingError("CLUSTER_UNREACHABLE", error.message, {
        hint:
          hint ??
          "check the certificate authority in the kubeconfig or spark.kubernetes.authenticate.submission.caCertFile",
        cause: error,
      });
    case "credentials":
      return new KindlingError("CLUSTER_UNAUTHENTICATED", error.message, {
        ...(hint !== undefined && { hint }),
        cause: error,
      });
    case "config":
      return new KindlingError("KUBECONFIG_INVALID", error.message, {
        ...(hint !== undefined && { hint }),
        cause: error,
      });
    case "aborted":
      return new KindlingError("INTERRUPTED", "interrupted", { cause: error });
  }
}

function statusError(
  error: KubeError,
  status: number,
  serverMessage: string,
  causes: readonly { readonly field: string; readonly message: string }[],
): KindlingError {
  switch (status) {
    case 401:
      return new KindlingError(
        "CLUSTER_UNAUTHENTICATED",
        `the API server does not accept the credentials: ${serverMessage}`,
        {
          hint: "check the user of the kubeconfig's context; kubectl auth whoami shows whom the server sees",
          cause: error,
        },
      );
    case 403:
      return new KindlingError("CLUSTER_FORBIDDEN", serverMessage, { hint: grantHint(error), cause: error });
    case 404:
      return new KindlingError("OBJECT_NOT_FOUND", serverMessage, {
        ...(serverMessage.startsWith('namespaces "') && { hint: "create it, or set spark.kubernetes.namespace" }),
        cause: error,
      });
    case 409:
      return new KindlingError("OBJECT_CONFLICT", serverMessage, {
        hint: "another object has this name; leave spark.kubernetes.driver.pod.name out to get a name of its own",
        cause: error,
      });
    case 400:
    case 422: {
      const fields = causes.filter((cause) => cause.field !== "").map((cause) => `${cause.field}: ${cause.message}`);
      return new KindlingError("OBJECT_INVALID", serverMessage, {
        ...(fields.length > 1 && { hint: fields.join("; ") }),
        cause: error,
      });
    }
    default:
      return new KindlingError("CLUSTER_REFUSED", error.message, { cause: error });
  }
}

const VERBS: Readonly<Record<string, string>> = {
  GET: "get,list,watch",
  POST: "create",
  PATCH: "patch,create",
  PUT: "update",
  DELETE: "delete",
};

/** The commands that would grant what was refused, read off the request. */
function grantHint({ method = "", path = "" }: KubeError): string {
  const match = /\/namespaces\/([^/?]+)\/([^/?]+)/.exec(path);
  const group = /^.*\/apis\/([^/]+)\//.exec(path)?.[1];
  const verbs = VERBS[method];
  if (match === null || verbs === undefined) return "ask for the right with: kubectl auth can-i --list";
  const [, namespace = "", plural = ""] = match;
  const resource = group === undefined ? plural : `${plural}.${group}`;
  return (
    `grant it with: kubectl -n ${namespace} create role spark-submitter --verb=${verbs} --resource=${resource}; ` +
    `kubectl -n ${namespace} create rolebinding spark-submitter --role=spark-submitter --user=<you>`
  );
}
