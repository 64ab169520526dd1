import { discardBody, type HttpRequest, type HttpResponse, type HttpTransport } from "@kindling/http";
import { systemClock, type Clock } from "@kindling/outside";
import type { Credentials } from "../credentials/credential-source.ts";
import type { ClusterAccess } from "../kubeconfig/cluster-access.ts";
import { connectionsTo, type ConnectionLimits, type Connections } from "./connections.ts";

/** A port of a service, as the API server's proxy names it. */
export interface ServicePlace {
  readonly namespace: string;
  readonly name: string;
  /** A number or a name. */
  readonly port: string;
  /** The protocol of the service. The API server does not check its certificate. */
  readonly scheme: "http" | "https";
}

export interface ServiceTransportOptions extends ConnectionLimits {
  readonly clock?: Clock;
  readonly userAgent?: string;
}

/** Where the API server passes requests on to a service; ends in a slash. */
export function serviceUrl({ server }: Pick<ClusterAccess, "server">, place: ServicePlace): URL {
  const { namespace, name, port, scheme } = place;
  return new URL(`${server}/api/v1/namespaces/${namespace}/services/${scheme}:${name}:${port}/proxy/`);
}

/**
 * HTTP to services through the API server's proxy, with the credentials for the API server. The API server does not pass
 * these on: if a service must know who is calling, another field than `Authorization` must say it. Bodies are streamed in
 * both directions. Rejects with an HttpError, or with a KubeError if there are no credentials.
 */
export function serviceTransport(access: ClusterAccess, options: ServiceTransportOptions): HttpTransport {
  const { clock = systemClock, userAgent = "kindling-kube", ...limits } = options;
  const connections = connectionsTo(access, clock, limits);
  return {
    clock,
    stallTimeoutMs: limits.stallTimeoutMs ?? Infinity,
    send: (request) => sendToService({ access, connections, userAgent }, request),
    close: () => connections.close(),
  };
}

/** Who sends, and over which connections. */
export interface ServiceSender {
  readonly access: ClusterAccess;
  readonly connections: Connections;
  readonly userAgent: string;
}

/** Sends a request; a second time, if the API server refuses the credentials and there are new ones. */
export async function sendToService(sender: ServiceSender, request: HttpRequest): Promise<HttpResponse> {
  const { access } = sender;
  const credentials = await access.credentials.current(request.signal);
  const response = await sendAs(sender, request, credentials);
  if (response.status !== 401 || !isOfApiServer(response)) return response;
  access.credentials.reject(credentials);
  const others = await access.credentials.current(request.signal);
  if (others === credentials) return response;
  discardBody(response);
  return await sendAs(sender, request, others);
}

async function sendAs(
  { connections, userAgent }: ServiceSender,
  request: HttpRequest,
  { authorization, headers, clientCertificate }: Credentials,
): Promise<HttpResponse> {
  return await connections.with(clientCertificate).send({
    ...request,
    headers: {
      "user-agent": userAgent,
      ...request.headers,
      ...headers,
      ...(authorization !== undefined && { authorization }),
    },
  });
}

/** The API server's refusal is a Status. If a service answers with the same JSON, this costs one more request. */
function isOfApiServer({ headers }: HttpResponse): boolean {
  return headers["content-type"]?.startsWith("application/json") === true;
}
