import type { HttpRequest } from "@kindling/http";
import type { Credentials } from "../credentials/credential-source.ts";
import { kubeError, type KubeErrorContext } from "../errors/kube-error.ts";
import type { ClusterAccess } from "../kubeconfig/cluster-access.ts";
import type { TransportRequest } from "./transport-request.ts";

type Headers = HttpRequest["headers"];

// RFC 9110, 5.5: all other characters; Node does not send these.
const UNSENDABLE = /[^\t\u0020-\u007e\u0080-\u00ff]/;

/**
 * The headers of a request.
 *
 * @throws KubeError `credentials` for a value that cannot be sent
 */
export function requestHeaders(
  request: TransportRequest,
  credentials: Credentials,
  userAgent: string,
  access: ClusterAccess,
  context: KubeErrorContext,
): Headers {
  return sendable(headersFor(request, credentials, userAgent), access, context);
}

/** The same headers. A header that cannot be sent comes from credentials, so the error names it without its value. */
function sendable(
  headers: Headers,
  { credentials: { description } }: ClusterAccess,
  context: KubeErrorContext,
): Headers {
  for (const [name, value] of Object.entries(headers)) {
    if (![value].flat().some((each) => UNSENDABLE.test(each))) continue;
    const message = `${description} gives a header ${name} with a line break or another character that cannot be sent`;
    throw kubeError({ kind: "credentials" }, message, {
      ...context,
      hint: "check that the token is whole, in one line",
    });
  }
  return headers;
}

function headersFor(request: TransportRequest, credentials: Credentials, userAgent: string): Headers {
  const headers: Record<string, string | readonly string[]> = {
    accept: request.accept ?? "application/json",
    "user-agent": userAgent,
  };
  if (credentials.authorization !== undefined) headers["authorization"] = credentials.authorization;
  for (const [name, value] of Object.entries(credentials.headers ?? {})) {
    headers[name] = value;
  }
  Object.assign(headers, request.upgrade);
  if (request.body !== undefined) headers["content-type"] = request.contentType ?? "application/json";
  return headers;
}
