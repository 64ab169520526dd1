import { harmlessText, isKindlingError, KindlingError, messageOf, withHint } from "@kindling/core-spec";
import { isKubeError, type KubeError } from "@kindling/kube";
import { forbiddenHint } from "@kindling/diagnosis";

/** Turns any error of a call to the API server into an error for the user: what was refused, and what to do. */
export function clusterError(error: unknown): KindlingError {
  if (isKindlingError(error)) return error;
  if (!isKubeError(error)) return new KindlingError("INTERNAL", harmlessText(messageOf(error)), { cause: error });
  const { hint } = error;
  const message = harmlessText(error.message);
  switch (error.kind) {
    case "status":
      // If the server gives no reason, the message at least names the request.
      return statusError(error, error.status, harmlessText(error.serverMessage.trim() || error.message), error.causes);
    case "unreachable":
    case "timeout":
    case "protocol":
      return new KindlingError("CLUSTER_UNREACHABLE", message, {
        hint: hint ?? "check --master or the kubeconfig's context, and that this machine reaches the cluster",
        cause: error,
      });
    case "tls":
      return new KindlingError("CLUSTER_UNREACHABLE", message, {
        hint:
          hint ??
          "check the certificate authority in the kubeconfig or spark.kubernetes.authenticate.submission.caCertFile",
        cause: error,
      });
    case "credentials":
      return new KindlingError("CLUSTER_UNAUTHENTICATED", message, {
        ...(hint !== undefined && { hint }),
        cause: error,
      });
    case "config":
      return new KindlingError("KUBECONFIG_INVALID", message, {
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
      return withHint(
        new KindlingError("CLUSTER_FORBIDDEN", serverMessage, { cause: error }),
        forbiddenHint(serverMessage),
      );
    case 404:
      if (error.kind === "status" && error.reason === undefined) return notServed(error);
      return withHint(
        new KindlingError("OBJECT_NOT_FOUND", serverMessage, { cause: error }),
        namespaceHint(serverMessage) ?? error.hint,
      );
    case 409:
      return new KindlingError("OBJECT_CONFLICT", serverMessage, {
        hint: "another object has this name; leave spark.kubernetes.driver.pod.name out to get a name of its own",
        cause: error,
      });
    case 400:
    case 422: {
      // The server names the fields in its message, but proxies and webhooks in front of it may not.
      const fields = causes
        .filter(({ field }) => field !== "")
        .map(({ field, message }) => `${field}: ${message}`)
        .filter((text) => !serverMessage.includes(text));
      return withHint(
        new KindlingError("OBJECT_INVALID", serverMessage, { cause: error }),
        fields.length === 0 ? undefined : harmlessText(fields.join("; ")),
      );
    }
    default:
      return new KindlingError("CLUSTER_REFUSED", harmlessText(error.message), { cause: error });
  }
}

/** What to do about a namespace that does not exist. */
function namespaceHint(serverMessage: string): string | undefined {
  const [, name] = /^namespaces "([a-z0-9-]+)" not found/.exec(serverMessage) ?? [];
  if (name === undefined) return undefined;
  return `correct -n or spark.kubernetes.namespace, or make it: kubectl create namespace ${name}`;
}

/** For an unknown path an API server says only "404 page not found". A server that is no API server says just as little. */
function notServed(error: KubeError): KindlingError {
  return new KindlingError("OBJECT_NOT_FOUND", harmlessText(error.message), {
    hint: "the server does not know this path: check --master, and whether the resource's CustomResourceDefinition is installed",
    cause: error,
  });
}
