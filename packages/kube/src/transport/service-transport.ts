import { discardBody, type HttpRequest, type HttpResponse, type HttpTransport } from "@kindling/http";
import { systemClock, type Clock } from "@kindling/outside";
import type { Credentials } from "../credentials/credential-source.ts";
import type { ClusterAccess } from "../kubeconfig/cluster-access.ts";
import { connectionsTo, type ConnectionLimits } from "./connections.ts";

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

  const sendAs = async (request: HttpRequest, credentials: Credentials): Promise<HttpResponse> => {
    const { authorization, headers } = credentials;
    return await connections.with(credentials.clientCertificate).send({
      ...request,
      headers: {
        "user-agent": userAgent,
        ...request.headers,
        ...headers,
        ...(authorization !== undefined && { authorization }),
      },
    });
  };

  return {
    clock,
    stallTimeoutMs: limits.stallTimeoutMs ?? Infinity,
    async send(request) {
      const credentials = await access.credentials.current(request.signal);
      const response = await sendAs(request, credentials);
      if (response.status !== 401 || !isOfApiServer(response)) return response;
      access.credentials.reject(credentials);
      const others = await access.credentials.current(request.signal);
      if (others === credentials) return response;
      discardBody(response);
      return await sendAs(request, others);
    },
    close: () => connections.close(),
  };
}

/** The API server's refusal is a Status. If a service answers with the same JSON, this costs one more request. */
function isOfApiServer({ headers }: HttpResponse): boolean {
  return headers["content-type"]?.startsWith("application/json") === true;
}
