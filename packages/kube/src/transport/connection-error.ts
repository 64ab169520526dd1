import { connectionFault, type HttpError } from "@kindling/http";
import type { ClusterAccess } from "../kubeconfig/cluster-access.ts";
import { kubeError, type KubeError, type KubeErrorContext, type TlsFaultReason } from "../errors/kube-error.ts";
import { quotedCause } from "../errors/quoted.ts";

const TLS_HINTS: Readonly<Record<TlsFaultReason, string | undefined>> = {
  expired: "renew the server's certificate, or check this machine's clock",
  "not-yet-valid": "check this machine's clock",
  hostname: "use a name of the certificate as server, or set tls-server-name in the kubeconfig",
  "unknown-ca": "give the cluster's certificate-authority in the kubeconfig, or its CA file",
  "client-certificate-expired": "get a new client certificate for the kubeconfig's user",
  other: undefined,
};

/** The error for a request without an answer, or an answer without an end. */
export function connectionError(
  error: unknown,
  { server, credentials }: Pick<ClusterAccess, "server" | "credentials">,
  context: KubeErrorContext,
): KubeError {
  const { origin } = new URL(server);
  const fault = connectionFault(error, origin);
  const peer = fault.peer === origin ? server : fault.peer;
  const prefix = `${context.method} ${context.path}: `;
  const about = { ...context, cause: causeOf(fault) };
  switch (fault.kind) {
    case "tls":
      return tlsError(fault.reason, fault.code, `${prefix}${peer}: ${fault.words}`, {
        ...about,
        hint: fault.reason === "other" ? fault.hint : undefined,
      });
    case "timeout": {
      const { milliseconds } = fault;
      const phase = fault.phase === "connect" ? "connect" : "answer";
      const words = phase === "connect" ? "no connection to" : "no answer from";
      const message = `${prefix}${words} ${peer} within ${milliseconds} ms`;
      return kubeError({ kind: "timeout", phase, milliseconds }, message, { ...context, hint: fault.hint });
    }
    case "protocol":
      return kubeError({ kind: "protocol" }, `${prefix}${fault.words}`, about);
    case "aborted":
      return kubeError({ kind: "aborted" }, `${prefix}${fault.words}`, { ...context, cause: fault.cause });
    case "options":
      return kubeError({ kind: "config", file: undefined }, `${credentials.description}: ${fault.words}`, about);
    case "unreachable":
    case "proxy":
    case "address": {
      const code = fault.kind === "unreachable" ? fault.code : refusalCode(fault);
      const hint = fault.kind === "proxy" ? fault.hint : undefined;
      return kubeError({ kind: "unreachable", code }, `${prefix}cannot reach ${peer}: ${fault.words}`, {
        ...about,
        hint,
      });
    }
  }
}

function refusalCode(fault: HttpError): string {
  return (fault.kind === "proxy" ? fault.code : undefined) ?? "PROXY_REFUSED";
}

/** Node's own error where there is one: it has the code and the address. */
function causeOf({ cause }: HttpError): unknown {
  return cause instanceof Error ? quotedCause(cause) : cause;
}

export function tlsError(
  reason: TlsFaultReason,
  code: string | undefined,
  message: string,
  context: KubeErrorContext,
): KubeError {
  return kubeError({ kind: "tls", reason, code }, message, { ...context, hint: context.hint ?? TLS_HINTS[reason] });
}
